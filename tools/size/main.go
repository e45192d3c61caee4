// Command size prints how large the repository is, by folder. Its one argument, if given, is the repository's folder.
package main

import (
	"fmt"
	"log"
	"os"
	"text/tabwriter"

	"gangway/internal/house/size"
)

func main() {
	log.SetFlags(0)
	root := "."
	if len(os.Args) > 1 {
		root = os.Args[1]
	}
	c, err := size.Of(root)
	if err != nil {
		log.Fatal(err)
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "folder\tcode\ttests\tcomments\tblanks\tfiles\texported\ttypes\t")
	for _, r := range append(c.Folders, c.Total) {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t\n", r.Name, r.Code, r.Tests, r.Comments, r.Blanks, r.Files,
			r.Exported, r.Types)
	}
	for _, r := range c.Others {
		fmt.Fprintf(w, "%s\t%d\t\t\t\t%d\t\t\t\n", r.Name, r.Code, r.Files)
	}
	if err := w.Flush(); err != nil {
		log.Fatal(err)
	}
}
