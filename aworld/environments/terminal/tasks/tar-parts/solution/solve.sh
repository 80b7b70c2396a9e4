#!/bin/bash
set -euo pipefail
cd /app/parts
mkdir -p /app/out
declare -A name
: > /app/unused.txt
for part in *.bin; do
  sum=$(sha256sum < "$part" | cut -d' ' -f1)
  if ! grep -q "$sum" MANIFEST || [ -n "${name[$sum]:-}" ]; then
    echo "$part" >> /app/unused.txt
  else
    name[$sum]=$part
  fi
done
while read -r sum; do cat "${name[$sum]}"; done < MANIFEST | tar -xzp -C /app/out
