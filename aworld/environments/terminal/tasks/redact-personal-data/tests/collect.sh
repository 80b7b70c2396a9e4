# Runs the program on texts of ours.
for text in one two; do
  python3 /app/redact.py < "/inputs/$text" > "/collected/$text"
done
