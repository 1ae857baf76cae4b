"""What addresses say that those who find text and those who say whose it is both ask."""

import re

# Who wrote a post is linked beside it, and is no title of another page.
PERSON = re.compile(
    r"(?i)(?:^|[/?&_;-]|\baction=)(?:users?|u|members?|memberlist|profiles?|people|authors?|showuser|uid)"
    r"(?=[/.?=;&]|$)|/[@~][\w.-]+/?$"
)
