"""How an answer looks outside izwi: charts, quotations, pages to keep, texts in many languages.

It knows the model alone and no corpus: pages and commands use it to shape what use cases answer.
"""
