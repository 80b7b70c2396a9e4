# Runs the repaired script on folders of ours.
script=/app/backup.sh
source=/tmp/source
mkdir -p "$source/one two" "$source/.deep/er"
echo 1 > "$source/plain.conf"
echo 2 > "$source/.deep/er/x.conf"
echo 3 > "$source/one two/three  four.conf"
echo 4 > "$source/star*.conf"
echo 5 > "$source/one two/not.conf.bak"
bash "$script" "$source" /tmp/first > /collected/first.out
echo $? > /collected/first.code
cp -r /tmp/first /collected/first
bash "$script" /tmp/nowhere /tmp/x > /dev/null 2> /collected/missing.err
echo $? > /collected/missing.code
mkdir /tmp/inner
echo a > /tmp/inner/a.conf
bash "$script" /tmp/inner /tmp/inner/out > /dev/null
bash "$script" /tmp/inner /tmp/inner/out > /collected/inner.out
cp -r /tmp/inner /collected/inner
