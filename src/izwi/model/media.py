"""Media types of texts that are no web pages, and the endings by which they go."""

PDF, TEXT, EPUB = "application/pdf", "text/plain", "application/epub+zip"
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
ODT = "application/vnd.oasis.opendocument.text"
OFFICE_BY_ENDING = {".pdf": PDF, ".docx": DOCX, ".odt": ODT, ".epub": EPUB}
# Servers that do not know what they send say one of these.
VAGUE = ("application/octet-stream", "binary/octet-stream", "application/zip")
