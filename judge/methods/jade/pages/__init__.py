"""What pages show of JADE: a response with its claims and gates, candidates with their gaps."""
