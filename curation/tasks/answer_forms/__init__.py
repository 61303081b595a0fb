"""What an answer to a task looks like, and what a task of this form demands."""
