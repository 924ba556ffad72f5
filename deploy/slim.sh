#!/bin/sh
# Leave out of an environment what no program of ours reads: tests, headers, and descriptions of Google's services but
# that of Calendar.
set -eu
packages=$(echo "$1"/lib/python3*/site-packages)
find "$packages" -type d \( -name tests -o -name include \) -prune -exec rm -rf {} +
find "$packages"/googleapiclient/discovery_cache/documents -name '*.json' ! -name 'calendar.v3.json' -delete
find "$packages" -type f \( -name '*.h' -o -name '*.hpp' -o -name '*.a' -o -name '*.pyx' -o -name '*.pxd' \) -delete
