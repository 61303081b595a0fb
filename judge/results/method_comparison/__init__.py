"""Methods compared on the same responses: agreement with experts, cost, stability."""
