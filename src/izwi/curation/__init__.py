"""How people better a corpus: pages judged and labelled, settings tried, pages taken down."""
