"""Rules for the pages of one portal: applying them, and finding out what they should be."""
