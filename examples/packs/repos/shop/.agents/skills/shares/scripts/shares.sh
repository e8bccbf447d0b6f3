#!/bin/bash
# Prints file, line, and text of each multiplication or division of an amount below a folder.
grep -rnE '(cents|sum|price)[^*/]*[*/] ?[a-z]' "$1"
