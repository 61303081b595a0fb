"""Sources that responses cite, and what they prove."""
