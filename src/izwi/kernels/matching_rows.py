"""How a condition on labels is written for the kernel that looks for matches.

A row is a comparison (its kind, then two sides of four numbers) or joins what stands before it.
"""

# Kinds of rows.
EQUAL, LESS, GREATER, BOTH, EITHER, NEITHER = range(6)
# Kinds of sides: (VALUE, label, column, table or -1), (DISTANCE, label, label), (CONSTANT, number).
VALUE, DISTANCE, CONSTANT = range(3)
ROW_COLUMNS = 9
MOST_LABELS = 64
# Every 64th position has an entry in the guide to the stretches of a structure.
GUIDE_BITS = 6
# Starts that take their first steps together, and how many steps. Looks at a column from one loop
# do not wait for each other, and what is to be done for each column is done once for all starts.
TOGETHER = 1024
STEPS = 16
