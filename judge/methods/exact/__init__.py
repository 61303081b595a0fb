"""An exact answer of few words or one number: right or wrong, with the confidence stated."""
