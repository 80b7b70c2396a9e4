"""Numbers with units: what a unit is worth, sums and products of quantities, conversions.

Definitions are Pint's; the arithmetic is our own, in exact fractions wherever a unit is exactly
defined.
"""
