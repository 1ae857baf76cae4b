"""Immutable pieces of index: lexicons, integer columns, postings, structures, document cards."""
