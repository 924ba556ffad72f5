#!/bin/sh
# Leave out of an environment what no Python of ours reads: tests, headers, and descriptions of Google's services but Calendar's.
set -eu
packages=$(echo "$1"/lib/python3*/site-packages)
find "$packages" -type d \( -name tests -o -name test -o -name testing -o -name include \) \
    -path '*/*' ! -path '*/numpy/testing*' ! -path '*/pandas/testing*' ! -path '*/streamlit/testing*' \
    ! -path '*/pandas/_testing*' ! -path '*/numpy/_core/*' -prune -exec rm -rf {} +
find "$packages"/googleapiclient/discovery_cache/documents -name '*.json' ! -name 'calendar.v3.json' -delete
find "$packages" -type f \( -name '*.pyx' -o -name '*.pxd' -o -name '*.h' -o -name '*.hpp' -o -name '*.a' -o -name '*.pyi' -o -name '*.map' \) -delete
