package api

import (
	"mime"
	"net/http"
	"slices"
	"strings"

	"gangway/internal/accept/decode"
	"gangway/internal/gangway"
	"gangway/internal/web"
)

// bodyFormats are the types of body that uploads take, the first of each format as it is documented.
//
// Decided: docs/choices.md, "Uploads in other formats".
var bodyFormats = []struct {
	format gangway.FormatKind
	types  []string
}{
	{gangway.JSONFormat, []string{"application/json"}},
	{gangway.YAMLFormat, []string{"application/yaml", "application/x-yaml", "text/yaml", "text/x-yaml"}},
	{gangway.CSVFormat, []string{"text/csv", "application/csv", "text/tab-separated-values"}},
	{gangway.XMLFormat, []string{"application/xml", "text/xml"}},
	{gangway.XLSXFormat, []string{"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"}},
}

// bodyFormat returns how a body is declared to be written. Without a Content-Type it is taken for JSON.
func bodyFormat(r *http.Request) (gangway.FormatKind, error) {
	header := r.Header.Get("Content-Type")
	if header == "" {
		return gangway.JSONFormat, nil
	}
	media, parameters, err := mime.ParseMediaType(header)
	if charset := parameters["charset"]; media == "application/json" && charset != "" &&
		decode.CheckEncoding(charset) != nil {
		return "", unsupported("the charset "+gangway.Shortened(charset, 40)+" is unknown: send UTF-8", []string{media})
	}
	for _, f := range bodyFormats {
		if err == nil && slices.Contains(f.types, media) {
			return f.format, nil
		}
	}
	return "", errFormat()
}

// errFormat says which types of body uploads take.
func errFormat() error {
	var taken []string
	for _, f := range bodyFormats {
		taken = append(taken, f.types[0])
	}
	list := strings.Join(taken[:len(taken)-1], ", ") + " or " + taken[len(taken)-1]
	return unsupported("the body must be "+list, taken)
}

// unsupported refuses a type of body, and says in Accept which are taken.
func unsupported(msg string, taken []string) error {
	return &web.Refusal{Status: http.StatusUnsupportedMediaType, Msg: msg,
		Header: http.Header{"Accept": {strings.Join(taken, ", ")}}}
}
