#!/bin/bash
set -euo pipefail
cat > /app/worker.sh <<'EOF'
#!/bin/bash
queue=$1
out=$2
exec 9>>"$out.lock"
flock -n 9 || exit 3
touch "$out"
stopping=0
trap 'stopping=1' TERM
trap 'echo reload >> "$out"' HUP
trap '' INT
count=$(grep -c '^done ' "$out")
while IFS= read -r line <&8; do
  end=$((${EPOCHREALTIME/./} + 200000))
  while [ "${EPOCHREALTIME/./}" -lt "$end" ]; do sleep 0.05 9>&-; done
  echo "done $line" >> "$out"
  count=$((count + 1))
  if [ "$stopping" = 1 ]; then
    echo "stopped $count" >> "$out"
    exit 0
  fi
done 8< <(tail -n +$((count + 1)) "$queue")
echo "finished $count" >> "$out"
EOF
