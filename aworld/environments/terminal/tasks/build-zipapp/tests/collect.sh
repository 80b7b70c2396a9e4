# Keeps the file that is there, builds another, and runs the first where nothing else is.
cp /app/count.pyz /collected/first.pyz
rm -f /app/count.pyz
bash /app/build.sh > /dev/null 2>&1
cp /app/count.pyz /collected/second.pyz
mkdir /tmp/empty && cd /tmp/empty
printf 'one two\nthree' > a
printf 'four, five' > b
cp /collected/first.pyz .
python3 first.pyz a b > /collected/said
