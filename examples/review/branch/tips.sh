#!/bin/sh
# tips.sh CENTS NAME...
total=$1
shift
[ $# -gt 0 ] || exit 2
for name in "$@"; do
  echo "$name $((total / $#))"
done
