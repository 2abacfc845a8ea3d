#!/usr/bin/env bash
# TEST: All unusable rows are named at once with file and line, and mending just those gives the report
# PRD: 1.2, V2
# RED: the messages do not name the rows that have to be mended
# TIMEOUT: 20

file="$TEST_DATA_DIR/typos.csv"
cat > "$file" <<'CSV'
date,category,description,amount,currency
2026-05-12,Meals,Lunch,10.00,EUR
2026-02-30,Meals,Lunch,20.00,EUR
2026-05-13,Meals,"two
lines",30.00,EUR
2026-05-13,Meals,Lunch,4o.00,EUR
2026-05-14,Meals,50.00,EUR
2026-05-14,Meals,"60.00, with tip",60.00,EUR
2026-13-01,Meals,Lunch,70.00,EUR
CSV

fail() {
  printf 'the messages do not name the rows that have to be mended: %s\n--- expected\n%s\n--- actual\n%s\n' "$1" "$2" "$3"
  exit 1
}

output=$(node bin/receipts.js "$file" 2> "$TEST_DATA_DIR/messages")
status=$?
messages=$(cat "$TEST_DATA_DIR/messages")
[ "$status" = 1 ] || fail 'exit status' 1 "$status, $messages"
[ -z "$output" ] || fail 'a report in spite of them' nothing "$output"

expected="$file:3: $file:6: $file:7: $file:9:"
actual=$(sed -n 's/^\(.*typos\.csv:[0-9]*:\) .*[a-z].*$/\1/p' "$TEST_DATA_DIR/messages" | uniq | paste -sd ' ')
[ "$actual" = "$expected" ] || fail 'rows' "$expected" "$actual, from: $messages"

# Only what was named is mended, as its writer would.
sed -i '3s/02-30/05-30/; 6s/4o/40/; 7s/,50/,Tip,50/; 9s/-13-01/-05-01/' "$file"
actual=$(node bin/receipts.js "$file" 2>&1 | grep 'Grand total' | tr -s ' ')
[ "$actual" = 'Grand total 280.00 EUR' ] || fail 'after mending them' 'Grand total 280.00 EUR' "$actual"
