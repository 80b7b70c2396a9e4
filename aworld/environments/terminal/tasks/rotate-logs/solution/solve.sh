#!/bin/bash
set -euo pipefail
cat > /app/rotate.sh <<'EOF'
#!/bin/bash
file=$1
keep=$2
if ! [[ $keep =~ ^[1-9][0-9]?$ ]]; then
  echo "rotate.sh: KEEP must be a number from 1 to 99" >&2
  exit 2
fi
[ -s "$file" ] || exit 0
free=1
while [ "$free" -lt "$keep" ] && [ -e "$file.$free.gz" ]; do free=$((free + 1)); done
for ((n = free; n > 1; n--)); do mv -f "$file.$((n - 1)).gz" "$file.$n.gz"; done
gzip -c -- "$file" > "$file.1.gz" && : > "$file"
for old in "$file".*.gz; do
  n=${old%.gz}
  n=${n##*.}
  if [[ $n =~ ^[0-9]+$ ]] && [ "$n" -gt "$keep" ]; then rm -f -- "$old"; fi
done
exit 0
EOF
