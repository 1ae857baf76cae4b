"""`python -m izwi` is the same as `izwi`."""

from izwi.cli.main import main

main()
