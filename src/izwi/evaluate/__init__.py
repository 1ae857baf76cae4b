"""How good is a part, against gold data: extraction, language, tags, copies, a whole corpus."""
