package reporting

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"gangway/internal/gangway"
	"gangway/internal/report/odata"
	"gangway/internal/web"
)

// body reads a request's body. It is as long as the options of an address may be, and so is each
// request of a batch.
func (s *Reporting) body(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	if r.Method != http.MethodPost || r.Body == nil {
		return nil, nil
	}
	if coding := r.Header.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		return nil, web.UnsupportedMedia("the body must not be compressed")
	}
	most := int64(odata.DefaultLimits.Length)
	whole := r.Body
	defer func() { r.Body = whole }() // a refusal drains what is left of it
	r.Body = http.MaxBytesReader(w, whole, most)
	defer s.budget.Count(w, r, 2)()
	body, err := io.ReadAll(r.Body)
	switch {
	case errors.As(err, new(*http.MaxBytesError)):
		return nil, web.TooLarge(fmt.Sprintf("the body is longer than %d bytes", most))
	case web.Limited(err):
		return nil, err
	case err != nil:
		return nil, gangway.Errorf(gangway.Invalid, "the body could not be read to its end")
	}
	return body, nil
}

// options returns the query options of a request: those of the address, and for /$query those of its
// body (U "Passing Query Options in the Request Body").
func (c *call) options() (string, error) {
	if !strings.HasSuffix(strings.TrimSuffix(c.request.path, "/"), "/$query") &&
		!strings.HasSuffix(strings.TrimSuffix(c.request.path, "/"), "/%24query") || c.method != http.MethodPost {
		return c.request.query, nil
	}
	media, _, err := mime.ParseMediaType(c.request.header.Get("Content-Type"))
	if err != nil {
		media = ""
	}
	more := strings.Trim(string(c.body), "\r\n")
	switch media {
	case inText, "application/x-www-form-urlencoded":
		if err := wantPairs(more); err != nil {
			return "", err
		}
	case inJSON:
		if more, err = optionsOfJSON(c.body); err != nil {
			return "", err
		}
	default:
		return "", web.UnsupportedMedia("the body holds query options as text/plain, as they would stand in an " +
			"address, or as a JSON object of texts (application/json)")
	}
	if c.request.query != "" {
		more = c.request.query + "&" + more
	}
	return more, nil
}

// wantPairs refuses a text that holds no query options: whoever sent it would take an answer with all rows for
// what was asked.
func wantPairs(text string) error {
	for pair := range strings.SplitSeq(text, "&") {
		name, _, pairs := strings.Cut(pair, "=")
		if pair != "" && (!pairs || strings.ContainsAny(name, "{[\"")) {
			return gangway.Errorf(gangway.Invalid, "the body holds no query options as they would stand in an "+
				"address, such as $filter=…&$top=5; a JSON object is sent as application/json")
		}
	}
	return nil
}

// optionsOfJSON returns the members of an object as query options.
func optionsOfJSON(body []byte) (string, error) {
	var values map[string]any
	if err := json.Unmarshal(body, &values); err != nil {
		return "", gangway.Errorf(gangway.Invalid, "the body is no JSON object of query options")
	}
	var list []string
	for _, name := range slices.Sorted(maps.Keys(values)) {
		switch v := values[name].(type) {
		case string, bool, float64:
			list = append(list, url.QueryEscape(name)+"="+url.QueryEscape(fmt.Sprint(v)))
		default:
			return "", gangway.Errorf(gangway.Invalid, "the query option %q is no text", name)
		}
	}
	return strings.Join(list, "&"), nil
}
