#!/bin/bash
set -euo pipefail
cat > /app/backup.sh <<'EOF'
#!/bin/bash
# Copies settings.
set -u
source=${1%/}
target=$2
if [ ! -d "$source" ]; then
  echo "backup.sh: there is no folder '$source'" >&2
  exit 2
fi
mkdir -p "$target" || exit 1
inside=$(cd "$target" && pwd -P)
copied=0
while IFS= read -r -d '' file; do
  folder=$(cd "$(dirname "$file")" && pwd -P)
  case "$folder/" in "$inside"/*) continue ;; esac
  place=$target/${file#"$source"/}
  mkdir -p "$(dirname "$place")" && cp "$file" "$place" || exit 1
  copied=$((copied + 1))
done < <(find "$source" -type f -name '*.conf' -print0)
echo "$copied"
EOF
