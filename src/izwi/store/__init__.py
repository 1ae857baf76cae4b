"""Where does what lie in a corpus folder: the only package that knows paths and file formats."""
