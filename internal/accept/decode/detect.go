package decode

import (
	"bytes"
	"mime"
	"path"
	"regexp"
	"strings"

	"gangway/internal/gangway"
)

// hints are what a file's name or content type says about its format. They count only where the content
// leaves it open.
var hints = map[string]gangway.FormatKind{
	".json": gangway.JSONFormat, "application/json": gangway.JSONFormat,
	".jsonl": gangway.JSONFormat, "application/jsonl": gangway.JSONFormat,
	".ndjson": gangway.JSONFormat, "application/x-ndjson": gangway.JSONFormat,
	".yaml": gangway.YAMLFormat, "application/yaml": gangway.YAMLFormat,
	".yml": gangway.YAMLFormat, "application/x-yaml": gangway.YAMLFormat, "text/yaml": gangway.YAMLFormat,
	"text/x-yaml": gangway.YAMLFormat,
	".csv":        gangway.CSVFormat, "text/csv": gangway.CSVFormat,
	".tsv": gangway.CSVFormat, "text/tab-separated-values": gangway.CSVFormat,
}

// hint returns the format that the name or else the content type suggests; "" for none.
func hint(name, contentType string) gangway.FormatKind {
	if kind, ok := hints[strings.ToLower(path.Ext(name))]; ok {
		return kind
	}
	kind, _, _ := mime.ParseMediaType(contentType)
	return hints[kind]
}

// findText recognises the format of a text by its beginning. It returns "" if it cannot.
func findText(head []byte, hinted gangway.FormatKind) gangway.FormatKind {
	begin := bytes.TrimSpace(head)
	_, separated := separatorLine(head)
	switch {
	case bytes.HasPrefix(begin, []byte("<")):
		if isSOAP(begin) {
			return gangway.SOAPFormat
		}
		return gangway.XMLFormat
	case hinted == gangway.YAMLFormat:
		return hinted
	case looksLikeJSON(begin):
		return gangway.JSONFormat
	case hinted == gangway.CSVFormat, separated > 0:
		return gangway.CSVFormat
	case looksLikeYAML(begin):
		return gangway.YAMLFormat
	}
	_, delimited := findDelimiter(head, nil)
	switch pairs, first := looksLikePairs(begin); {
	case pairs && (first || !delimited):
		return gangway.PairsFormat
	case delimited:
		return gangway.CSVFormat
	}
	return ""
}

// looksLikeJSON reports whether text begins as an object or an array does.
func looksLikeJSON(text []byte) bool {
	if len(text) == 0 || text[0] != '{' && text[0] != '[' {
		return false
	}
	next := bytes.TrimLeft(text[1:], jsonSpace)
	if len(next) == 0 {
		return true
	}
	if text[0] == '{' {
		return next[0] == '"' || next[0] == '}'
	}
	return bytes.IndexByte([]byte(`"{[]-0123456789tfn`), next[0]) >= 0
}

var (
	yamlMark  = regexp.MustCompile(`^(%YAML|---(\s|$))`)
	yamlEntry = regexp.MustCompile(`^-\s+\S`)                              // - last_name: Santos
	yamlNest  = regexp.MustCompile(`^[^\s:,;|\t"'#][^:,;|\t]*:\s*(#.*)?$`) // crew:
	inside    = regexp.MustCompile(`^(\s+\S|-(\s|$))`)                     // what follows such a key
	pair      = regexp.MustCompile(`^\s*[^\s:=,;|\t][^:=,;|\t]{0,60}[:=](.*)$`)
)

// looksLikeYAML reports whether text has the structure of YAML. Lines of "name: value" alone are pairs.
func looksLikeYAML(text []byte) bool {
	if yamlMark.Match(text) {
		return true
	}
	nests := false
	for line := range bytes.Lines(text) {
		line = bytes.TrimRight(line, "\r\n \t")
		switch {
		case len(line) == 0 || line[0] == '#':
		case nests:
			return inside.Match(line)
		case yamlEntry.Match(line):
			return pair.Match(line[1:])
		case yamlNest.Match(line):
			nests = true
		case !pair.Match(line):
			return false
		}
	}
	return false
}

// looksLikePairs reports whether most lines are "name: value" or "name = value", and whether the first is.
func looksLikePairs(text []byte) (most, first bool) {
	all, pairs := 0, 0
	for line := range bytes.Lines(text) {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		if pair.Match(line) {
			pairs++
			first = first || all == 0
		}
		all++
	}
	return pairs*10 >= all*7 && pairs > 0, first
}
