"""How far to trust a judge: the formulas, without Django, pandas or a model.

Point estimates are exact fractions; intervals are pairs of floats. An undefined statistic is
None, and the report's `why` names the reason. Nothing here depends on the order of its input.
"""
