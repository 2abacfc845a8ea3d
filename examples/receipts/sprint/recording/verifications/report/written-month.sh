#!/usr/bin/env bash
# TEST: A receipt counts for the month written on it, whatever time zone the laptop is in
# PRD: 3.2
# RED: a receipt is in another month than the one written on it
# TIMEOUT: 20

file="$TEST_DATA_DIR/edges.csv"
cat > "$file" <<'CSV'
date,category,description,amount,currency
2025-12-31,Lodging,Last night of the year,100.00,EUR
2026-01-01,Meals,New year's breakfast,20.00,EUR
2026-02-28,Transport,Night train,3.00,EUR
2026-03-01,Transport,Taxi on arrival,4.00,EUR
CSV

expected='2025-12 Lodging 100.00 Total 100.00 2026-01 Meals 20.00 Total 20.00 2026-02 Transport 3.00 Total 3.00 2026-03 Transport 4.00 Total 4.00 Grand total 127.00 EUR'
status=0
for zone in America/Los_Angeles Pacific/Auckland; do
  actual=$(TZ="$zone" node bin/receipts.js "$file" 2>&1 | tr -s ' \n' ' ' | sed 's/ $//')
  [ "$actual" = "$expected" ] && continue
  printf 'a receipt is in another month than the one written on it, with TZ=%s\n  expected: %s\n  actual:   %s\n' "$zone" "$expected" "$actual"
  status=1
done
exit $status
