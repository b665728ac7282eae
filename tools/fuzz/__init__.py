"""What the generators of random programs and their drivers in tools/ are made of."""
