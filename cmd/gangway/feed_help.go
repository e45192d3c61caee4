package main

import (
	"fmt"
	"strings"

	"gangway/internal/gangway"
	"gangway/internal/transport"
	"gangway/internal/transport/kinds"
	"gangway/internal/wire"

	"github.com/go-json-experiment/json/jsontext"
)

// Help lists what a feed is, and every kind of transport with its settings and an example.
func (feedCommand) Help() string {
	var b strings.Builder
	b.WriteString(aboutFeeds)
	for _, k := range kinds.All {
		fmt.Fprintf(&b, "\ntransport.kind %q: %s\n\n", k.Name, k.About)
		describeSettings(&b, "    ", "", k.Settings)
		fmt.Fprintf(&b, "\n%s\n", exampleOf(k))
	}
	return b.String()
}

const aboutFeeds = `A feed is a way in for a customer's records: where documents are fetched, how they are written, how what is in them becomes our records, and what these are for. It is set as one JSON object:

    {"name": "crew", "flow": "travellers", "every": "1h",
     "transport": {"kind": "endpoint", "url": "https://hr.example/crew",
                   "auth": {"kind": "basic", "user": "u", "password": "p"}},
     "format": "auto", "mapping": ".staff[] | {last_name: .surname}"}

    name       letters, figures, hyphens and underscores
    flow       travellers (all, kept here), traveller-lookup (by the beginning of
               a surname, while somebody types), travel-requests (of a period),
               crew-changes (of a day)
    every      between two runs, as in "90m"; left out: an hour for addresses and
               databases, a minute for files and mails; never for upload
    transport  its kind and that kind's settings, see below
    format     "auto", a kind (json, yaml, csv, xlsx, xml, soap, fixed, pairs), or
               an object such as {"kind": "csv", "delimiter": ";",
               "encoding": "windows-1252", "header": true}
    mapping    a jq program; left out: our own shapes and common spellings
    complete   true: a run brings all there is, and what it does not bring is
               gone; left out: true for all travellers from an address or a
               database
    off        true: it is neither fetched by itself nor asked; feed run and
               feed test fetch it all the same, since a person wishes it

Secrets are kept sealed and never shown: feed show has null in their place. Where feed set leaves them out or has null, they stay as they are, but never for another system than they were given for.
`

// describeSettings lists settings for reading, those of objects below them.
func describeSettings(b *strings.Builder, indent, path string, settings []transport.Setting) {
	for _, s := range settings {
		notes := []string{string(s.Type)}
		if s.Type == transport.Auth {
			notes[0] = "object with kind"
		}
		if s.Required {
			notes = append(notes, "required")
		}
		if word := map[transport.Secret]string{transport.Whole: "secret", transport.Values: "values secret",
			transport.InURL: "query secret"}[s.Secret]; word != "" {
			notes = append(notes, word)
		}
		line := fmt.Sprintf("%s%s (%s)", indent, path+s.Name, strings.Join(notes, ", "))
		if s.About != "" {
			line += ": " + s.About
		}
		if s.Example != "" {
			line += ", as in " + s.Example
		}
		for i, part := range wrapWords(line, helpWidth-len(indent)-2) {
			if i > 0 {
				b.WriteString(indent + "  ")
			}
			b.WriteString(part + "\n")
		}
		describeSettings(b, indent+"  ", path+s.Name+".", s.Members)
	}
}

// helpWidth is how wide help is.
const helpWidth = 80

// wrapWords breaks a line between words. What it begins with stays.
func wrapWords(line string, width int) (lines []string) {
	for len(line) > width {
		at := strings.LastIndexByte(line[:width], ' ')
		if strings.TrimSpace(line[:max(at, 0)]) == "" {
			break
		}
		lines = append(lines, line[:at])
		line = line[at+1:]
	}
	return append(lines, line)
}

// exampleOf is a whole feed of a kind, as it may be copied.
func exampleOf(k transport.Kind) string {
	f := gangway.Feed{Name: "crew", Flow: gangway.TravellersFlow,
		Transport: gangway.Transport{Kind: k.Name, Settings: []byte(k.Example)},
		Format:    gangway.DocumentFormat{Kind: gangway.AutoFormat}}
	doc := wire.Feed(f, nil)
	if err := doc.Indent(jsontext.WithIndentPrefix("    "), jsontext.WithIndent("  ")); err != nil {
		return ""
	}
	return "    " + string(doc)
}
