package itinerary

import (
	"fmt"
	"io"
	"strings"
)

// WriteText writes p as plain text.
func WriteText(w io.Writer, p Paper) error {
	var b strings.Builder
	if b.WriteString(p.Title + "\n"); p.Unreal {
		b.WriteString("! " + Unreal + "\n")
	}
	facts := func(list []Fact) {
		for _, f := range list {
			fmt.Fprintf(&b, "%s: %s\n", f.Name, f.Value)
		}
	}
	facts(p.Facts)
	for _, g := range p.Groups() {
		if g.Name != "" {
			b.WriteString("\n== " + g.Name + " ==\n")
		}
		for _, t := range g.Trips {
			b.WriteString("\n" + t.Name + "\n")
			if t.Sent != "" {
				b.WriteString("Name as sent: " + t.Sent + "\n")
			}
			for _, warning := range t.Warnings {
				b.WriteString("! " + warning + "\n")
			}
			facts(t.Facts)
			for _, l := range t.Lines {
				b.WriteString(l.text() + "\n")
			}
		}
	}
	if b.WriteString("\n"); p.Remark != "" {
		b.WriteString(p.Remark + "\n")
	}
	b.WriteString(p.AsOf() + "\n")
	_, err := io.WriteString(w, b.String())
	return err
}

func (l Line) text() string {
	switch {
	case l.Day:
		return l.At
	case l.At == "":
		return "         " + l.What
	}
	return "  " + l.At + "  " + l.What
}
