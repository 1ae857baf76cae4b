"""Groups of elements that a parser opens and closes by the same rules, and what else is known."""

# Any other element; lines with nothing to close, as the standard of HTML calls them.
G_OTHER = 0
G_BLOCK = 1
G_PRE = 2
G_HEADING = 3
G_FORM = 4
G_ITEM = 5
G_TERM = 6
G_P = 7
G_BUTTON = 8
G_LINK = 9
G_FORMAT = 10
G_OBJECT = 11
G_VOID_INLINE = 12
G_VOID = 13
G_RULE = 14
G_RAW = 15
G_FRAME = 16
G_TITLE = 17
G_META = 18
G_HTML = 19
G_HEAD = 20
G_BODY = 21
G_SELECT = 22
G_OPTION = 23
G_OPTGROUP = 24
G_SVG = 25
G_NOSCRIPT = 26
G_BREAK = 27
G_TEMPLATE = 29
# What has rules of its own that are left to a parser.
G_REFUSED = 28
# Parts of tables: in the first four only other parts may stand.
G_TABLE = 32
G_COLGROUP = 33
G_SECTION = 34
G_ROW = 35
G_CAPTION = 36
G_COL = 37
G_CELL = 38

# Closes what formatting runs on below it.
P_SPECIAL = 1
# Closed where its parent ends or the next one begins.
P_IMPLIED = 2
# Hides what is open outside it.
P_SCOPE = 4
# Hides open items from those inside.
P_LIST = 8
# An item may be closed through it, though it is special.
P_WEAK = 16
# Ends a drawing.
P_BREAKS_OUT = 32
# Formatting.
P_FORMAT = 64
# Its text is written as it is.
P_PLAIN = 128

# Where a page is being read.
BEFORE_HTML = 0
BEFORE_HEAD = 1
IN_HEAD = 2
AFTER_HEAD = 3
IN_BODY = 4
AFTER_BODY = 5
AFTER_HTML = 6

# Columns of the stack of open elements: its group, what is known of it, where its tag begins, where
# its name and the tag end, and its place among open formatting (-1: none).
E_GROUP = 0
E_KNOWN = 1
E_START = 2
E_NAME_END = 3
E_END = 4
E_LISTED = 5
ELEMENT_COLUMNS = 6
# Columns of the list of open formatting: where it is on the stack (-1: closed, to be opened again;
# -2: a border, outside of which nothing is), and where its tag begins, its name and the tag end.
F_PLACE = 0
F_START = 1
F_NAME_END = 2
F_END = 3
FORMAT_PLACES = 4

# So deep and with so much formatting open a page is left to a parser.
MOST_OPEN = 256
MOST_FORMATS = 32
# Attributes of one tag.
MOST_KEYS = 16
NAME_SLOTS = 1024
REFERENCE_SLOTS = 8192
