"""What collection and panel are made of: tables, pictures and a part of the data card."""
