#!/bin/bash
set -euo pipefail
cat > /tmp/order.py <<'EOF'
from pathlib import Path

needs = {}
for line in Path("/app/deps").read_text().splitlines():
    line = line.partition("#")[0].strip()
    if line:
        module, _, rest = line.partition(":")
        needs.setdefault(module.strip(), set()).update(rest.split())
for needed in [name for names in needs.values() for name in names]:
    needs.setdefault(needed, set())

def reachable(start):
    seen, todo = set(), list(needs[start])
    while todo:
        name = todo.pop()
        if name not in seen:
            seen.add(name)
            todo.extend(needs[name])
    return seen

below = {name: reachable(name) for name in needs}
circular = {name for name in needs if name in below[name]}
groups = {" ".join(sorted(o for o in circular if o in below[n] and n in below[o])) for n in circular}
Path("/app/circles.txt").write_text("".join(f"{line}\n" for line in sorted(groups)))
left = {name for name in needs if name not in circular and not below[name] & circular}
order = []
while left:
    nxt = min(name for name in left if not needs[name] & left)
    order.append(nxt)
    left.remove(nxt)
Path("/app/order.txt").write_text("".join(f"{name}\n" for name in order))
EOF
python3 /tmp/order.py
