"""The order and the circles, worked out by hand."""

from pathlib import Path

circles = Path("/app/circles.txt").read_text().splitlines()
assert circles == ["cache index store", "tool", "x y"], f"circles.txt holds {circles}"
order = Path("/app/order.txt").read_text().split()
wanted = "colors config fonts log cli theme widgets ui zeta".split()
assert order == wanted, f"order.txt holds {order}"
print("The order is right.")
