package gangway

import (
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// A LoggedRequest is a request of a customer's program that was answered, as the request log has it.
type LoggedRequest struct {
	ID       string        // what the header Request-Id of its answer says
	At       time.Time     // when it came in
	Took     time.Duration // until its answer was written
	Method   string
	Path     string // of the endpoint; empty for an address at which there is nothing
	Status   int
	Key      string // identifies the API key
	Received int64  // bytes of the body, as they travelled
	Sent     int64  // bytes of the answer
	Details  RequestDetails

	// Body and Answer are the beginnings of what was sent and answered, unpacked, where the account has them
	// kept.
	Body, Answer []byte
}

// RequestDetails are what may name a person in the log's entry for a request: what was wrong quotes what was sent.
type RequestDetails struct {
	Address   string              `json:"address,omitempty"` // the whole of it, where the path does not say it all
	Detail    string              `json:"detail,omitempty"`  // why it was refused, or broke off
	Errors    map[string][]string `json:"errors,omitempty"`
	Warnings  map[string][]string `json:"warnings,omitempty"`
	Truncated bool                `json:"truncated,omitempty"` // there were more errors or warnings than these
}

// None reports whether there is nothing to say.
func (d RequestDetails) None() bool {
	return d.Address == "" && d.Detail == "" && len(d.Errors) == 0 && len(d.Warnings) == 0
}

// What the log keeps of a request at most: enough to see what is wrong, and little enough for thousands of them to
// wait in memory until they are written.
const (
	loggedFields  = 20  // errors, and as many warnings
	loggedRemarks = 3   // of a field
	loggedText    = 300 // bytes of an address, the path of a field or a sentence

	// LoggedBody is how many bytes of a body, and of an answer, are kept.
	LoggedBody = 64 << 10
)

// Bounded returns d as the log keeps it: not more than that, and without keys.
func (d RequestDetails) Bounded() RequestDetails {
	cut := false
	d.Address, d.Detail = loggedWords(d.Address), loggedWords(d.Detail)
	d.Errors, cut = loggedProblems(d.Errors)
	d.Truncated = d.Truncated || cut
	d.Warnings, cut = loggedProblems(d.Warnings)
	d.Truncated = d.Truncated || cut
	return d
}

func loggedProblems(of map[string][]string) (kept map[string][]string, cut bool) {
	if len(of) == 0 {
		return nil, false
	}
	kept = map[string][]string{}
	for _, path := range slices.Sorted(maps.Keys(of)) {
		if len(kept) == loggedFields {
			return kept, true
		}
		said := of[path]
		cut = cut || len(said) > loggedRemarks
		for _, sentence := range said[:min(len(said), loggedRemarks)] {
			name := loggedWords(path)
			kept[name] = append(kept[name], loggedWords(sentence))
		}
	}
	return kept, cut
}

// keyLike finds what is, or was meant to be, an API key of ours.
var keyLike = regexp.MustCompile(`gw_(live|test)_[0-9A-Za-z]+`)

// WithoutKeys returns a text in which of each API key only what it begins with is left.
func WithoutKeys(text string) string { return keyLike.ReplaceAllString(text, "gw_${1}_…") }

// secretPath finds what is secret in the address of an itinerary, an invitation or a hand-off.
var secretPath = regexp.MustCompile(`(/i/|/invitations/|/integrations/search/)[^/]+`)

// LoggedPath returns a path as logs keep it: without API keys, and without the secret of an address that opens by it.
func LoggedPath(path string) string { return secretPath.ReplaceAllString(WithoutKeys(path), "${1}…") }

func loggedWords(text string) string {
	text = WithoutKeys(text)
	if len(text) <= loggedText {
		return text
	}
	end := loggedText
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "…"
}

// shownParameters are the parameters whose values the log keeps: they say which bookings were meant, and name nobody.
var shownParameters = []string{"after", "days", "from", "limit", "pull", "to"}

// LoggedAddress returns an address without what is behind it: the values of parameters that may name a person, or be
// a secret, are left out.
func LoggedAddress(u *url.URL) string {
	var query []string
	for pair := range strings.SplitSeq(u.RawQuery, "&") {
		if name, _, has := strings.Cut(pair, "="); has && !slices.Contains(shownParameters, name) {
			pair = name + "=…"
		}
		if pair != "" {
			query = append(query, pair)
		}
		if len(query) == loggedFields {
			break
		}
	}
	if len(query) == 0 {
		return u.Path
	}
	return u.Path + "?" + strings.Join(query, "&")
}
