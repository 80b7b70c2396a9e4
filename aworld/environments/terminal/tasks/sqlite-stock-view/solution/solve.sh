#!/bin/bash
set -euo pipefail
cat > /tmp/solve.py <<'EOF'
import sqlite3

db = sqlite3.connect("/app/stock.db")
db.executescript('''
DELETE FROM move WHERE item NOT IN (SELECT id FROM item);
DELETE FROM move WHERE id NOT IN (SELECT min(id) FROM move GROUP BY item, at, count);
CREATE VIEW month_end(month, name, stock) AS
WITH RECURSIVE month(first) AS (
  SELECT min(substr(at, 1, 7)) || '-01' FROM move
  UNION ALL
  SELECT date(first, '+1 month') FROM month
  WHERE substr(first, 1, 7) < (SELECT max(substr(at, 1, 7)) FROM move)
)
SELECT substr(first, 1, 7), name, coalesce(
  (SELECT sum(count) FROM move WHERE move.item = item.id AND substr(at, 1, 7) <= substr(first, 1, 7)), 0)
FROM month CROSS JOIN item ORDER BY 1, 2;
''')
db.commit()
EOF
python3 /tmp/solve.py
