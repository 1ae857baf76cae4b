"""From bytes to judged text: decode, extract, describe, tell the language, select. All pure."""
