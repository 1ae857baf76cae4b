"""Immutable pieces of index: lexicons, columns of integers, postings, structures, document cards."""
