"""Collections of documents in the forms the exports have: each is one file of this package."""
