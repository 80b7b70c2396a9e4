#!/bin/bash
# Copies settings.
source=$1
target=$2
copied=0
mkdir -p $target
find $source/* -name '*.conf' | while read file; do
  place=$target/${file#$source}
  mkdir -p $(dirname $place)
  cp $file $place && copied=$((copied + 1))
done
echo $copied
