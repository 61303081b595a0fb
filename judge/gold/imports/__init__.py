"""Files of tasks, responses and scores that staff import in the browser."""
