# Rotates logs of ours and keeps what came of it.
gz() { printf '%s' "$2" | gzip > "$1"; }
rotate() { bash /app/rotate.sh "$@" > /dev/null 2>&1; }
mkdir /tmp/four /tmp/gap /tmp/less /tmp/nothing /tmp/wrong
cd /tmp/four
touch 'app log'
chmod 640 'app log'
stat -c '%i %a' 'app log' > /collected/same
for n in 1 2 3 4; do printf '%s' "$n" > 'app log'; rotate 'app log' 3; done
stat -c '%i %a' 'app log' >> /collected/same
cd /tmp/gap
printf new > a
gz a.1.gz one
gz a.3.gz three
rotate a 4
cd /tmp/less
printf new > b
for n in 1 2 3; do gz "b.$n.gz" "$n"; done
rotate b 1
cd /tmp/nothing
: > c
gz c.1.gz old
rotate c 5
echo $? > /collected/codes
rotate nowhere 5
echo $? >> /collected/codes
cd /tmp/wrong
printf text > d
for keep in 0 100 x; do rotate d "$keep"; echo $? >> /collected/codes; done
cp -r /tmp/four /tmp/gap /tmp/less /tmp/nothing /tmp/wrong /collected/
