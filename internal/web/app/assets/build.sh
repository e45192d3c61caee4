#!/bin/sh
# Bundles the stylesheets and scripts of all rooms into dist/, or into the folder named,
# each named after its content, for go:embed. What it makes is committed, so
# that building the program needs neither this script nor Node.
set -eu
cd "$(dirname "$0")"
out=${1:-dist}
rm -f "$out"/*
go tool esbuild app.css app.js icon.svg --bundle --minify --format=iife --loader:.svg=copy \
	--target=chrome123,firefox120,safari17.5 --entry-names='[name]-[hash]' --outdir="$out" --log-level=warning
