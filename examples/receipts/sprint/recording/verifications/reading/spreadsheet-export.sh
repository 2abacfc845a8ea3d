#!/usr/bin/env bash
# TEST: A spreadsheet's export with quotes, commas, line breaks and Windows line ends is read as it is
# PRD: 1.1
# RED: the export was not read as it is written
# TIMEOUT: 20

file="$TEST_DATA_DIR/export.csv"
printf '%s\r\n' \
  'date,category,description,amount,currency' \
  '2026-05-12,"Meals, team","Dinner, ""Chez Paul"", 4 people",80.05,EUR' \
  '2026-05-13,"Fees ""express""","two' \
  'lines, one receipt",7.25,EUR' \
  '2026-05-13,Other,,10.00,EUR' > "$file"

expected='2026-05
Fees "express" 7.25
Meals, team 80.05
Other 10.00
Total 97.30
Grand total 97.30 EUR'
actual=$(node bin/receipts.js "$file" 2>&1 | tr -s ' ' | sed 's/^ //; s/ $//; /^$/d')

if [ "$actual" != "$expected" ]; then
  printf 'the export was not read as it is written\n--- expected\n%s\n--- actual\n%s\n' "$expected" "$actual"
  exit 1
fi
