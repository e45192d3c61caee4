// Guide writes a document in Markdown as HTML, with an anchor for each heading; HTML in it stays. build.sh makes the
// booker's guide with it.
package main

import (
	"io"
	"log"
	"os"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer/html"
)

func main() {
	source, err := io.ReadAll(os.Stdin)
	if err == nil {
		err = goldmark.New(goldmark.WithExtensions(extension.Table), goldmark.WithRendererOptions(html.WithUnsafe()),
			goldmark.WithParserOptions(parser.WithAutoHeadingID())).Convert(source, os.Stdout)
	}
	if err != nil {
		log.Fatal(err)
	}
}
