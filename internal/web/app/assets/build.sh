#!/bin/sh
# Bundles the stylesheets and scripts of all rooms into dist/, or into the folder named,
# each named after its content, for go:embed. What it makes is committed, so
# that building the program needs neither this script nor Node.
set -eu
cd "$(dirname "$0")"
out=${1:-dist}
rm -f "$out"/*
docs=../../../../docs
go tool esbuild app.css app.js icon.svg "$docs"/pictures/*.png --bundle --minify --format=iife --loader:.svg=copy \
	--loader:.png=copy \
	--target=chrome123,firefox120,safari17.5 --entry-names='[name]-[hash]' --outdir="$out" --log-level=warning

# The booker's guide, to which Help leads, with the pictures by the names that they have now.
names=
for picture in "$docs"/pictures/*.png; do
	name=$(basename "$picture" .png)
	for made in "$out/$name"-*.png; do
		names="$names;s#\"pictures/$name.png\"#\"${made##*/}\"#"
	done
done
{
	for style in "$out"/app-*.css; do
		echo "<!doctype html>
<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">
<title>The booker's guide · Gangway</title><link rel=\"stylesheet\" href=\"${style##*/}\"></head>
<body><main class=\"alone wide guide\">"
	done
	go run ../../../../tools/guide <"$docs/bookers.md" | sed "${names#;}"
	echo "</main></body></html>"
} >"$out/guide.html"
mv "$out/guide.html" "$out/guide-$(cksum <"$out/guide.html" | cut -d ' ' -f 1).html"
