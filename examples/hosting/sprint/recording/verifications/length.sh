#!/usr/bin/env bash
# TEST: The memo can be read on the train: it has words, and at most 300
# PRD: 1.2
# RED: the memo is not a page of at most 300 words
# TIMEOUT: 10

words=$(sed '/<!--/d' MEMO.md 2>/dev/null | grep -oE '[[:alnum:]][[:alnum:].,]*' | wc -l)
[ "$words" -ge 100 ] && [ "$words" -le 300 ] || {
  echo "the memo is not a page of at most 300 words: it has $words"
  exit 1
}
