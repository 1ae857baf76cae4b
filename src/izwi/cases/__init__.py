"""The use cases, each said once: what is asked, what is done, who may, what is written down."""
