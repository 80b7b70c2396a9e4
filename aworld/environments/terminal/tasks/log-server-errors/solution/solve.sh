#!/bin/bash
set -euo pipefail
cd /app
{
  echo client,errors
  awk '{ split($4, at, ":"); if (at[2] == "09" && $9 ~ /^5[0-9][0-9]$/) n[$1]++ }
       END { for (c in n) print c "," n[c] }' access.log | LC_ALL=C sort -t, -k2,2nr -k1,1 | head -3
} > errors.csv
