"""What a page says of itself: its title, author and dates; all claims kept, one chosen."""
