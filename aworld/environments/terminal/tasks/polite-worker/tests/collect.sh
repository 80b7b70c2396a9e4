# Starts the worker and sends it signals.
cd /tmp
printf 'job %s\n' 1 2 3 4 5 6 > queue
bash /app/worker.sh queue out &
sleep 0.5
bash /app/worker.sh queue out
echo $? > /collected/busy.code
kill -TERM %1
wait %1
echo $? > /collected/first.code
cp out /collected/first
bash /app/worker.sh queue out
cp out /collected/second
printf 'a\nb\nc\n' > queue2
bash /app/worker.sh queue2 out2 &
sleep 0.3
kill -HUP $!
kill -INT $!
wait
cp out2 /collected/third
