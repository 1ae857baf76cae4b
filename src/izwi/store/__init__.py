"""The corpus folder: the only package that knows its paths and file formats."""
