"""How an answer looks outside: charts, quotations, pages to keep, people's languages.

Knows the model alone, no corpus: pages and commands shape with it what use cases answer.
"""
