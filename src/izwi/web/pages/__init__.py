"""The pages that readers see: lines, documents, words and counts."""
