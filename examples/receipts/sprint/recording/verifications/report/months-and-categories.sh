#!/usr/bin/env bash
# TEST: Months in order, categories in alphabetical order, each sum exact to the cent
# PRD: 3.1
# RED: the report is not the one that finance expects
# TIMEOUT: 20

file="$TEST_DATA_DIR/mixed.csv"
cat > "$file" <<'CSV'
date,category,description,amount,currency
2026-11-18,Transport,Tram,8.80,EUR
2025-12-14,Office,Paper,27.45,EUR
2026-01-10,Snacks,Coffee,0.10,EUR
2026-01-11,Snacks,Coffee,0.20,EUR
2026-01-21,Meals,Lunch,1061.10,EUR
2026-01-22,Meals,"Lunch, refunded",-61.1,EUR
2026-01-23,Accommodation,Hotel,95,EUR
CSV

expected='2025-12
Office 27.45
Total 27.45
2026-01
Accommodation 95.00
Meals 1000.00
Snacks 0.30
Total 1095.30
2026-11
Transport 8.80
Total 8.80
Grand total 1131.55 EUR'
actual=$(node bin/receipts.js "$file" 2>&1 | tr -s ' ' | sed 's/^ //; s/ $//; /^$/d')

if [ "$actual" != "$expected" ]; then
  printf 'the report is not the one that finance expects\n--- expected\n%s\n--- actual\n%s\n' "$expected" "$actual"
  exit 1
fi
