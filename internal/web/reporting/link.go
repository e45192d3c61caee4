package reporting

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	"gangway/internal/report/odata"
	"gangway/internal/report/query"
)

// A place is where in an answer a page begins. The zero place is the beginning.
type place struct {
	after   query.Position
	given   int64  // how many rows the pages before had
	count   int64  // how many rows there were in all when the first page was read
	counted bool   // count is known
	since   *since // from when on changes are to be told; nil: they are not
}

// A token is a place as a link carries it.
type token struct {
	After string `json:"a"`
	Given int64  `json:"g"`
	Count *int64 `json:"c,omitempty"`
	Since *since `json:"s,omitempty"`
}

// A linkKind is what a link leads to, and the option that carries its token.
type linkKind struct{ name, option string }

var (
	pageLink    = linkKind{"page", "$skiptoken"}
	changesLink = linkKind{"changes", "$deltatoken"}
)

const (
	// longestLink is how long the address of a link may be: what the server reads as a request's head
	// has room for it.
	longestLink = 12 << 10

	markBytes = 18 // of a signature
)

// nextLink returns the address of the page that begins at a place.
func (s *Reporting) nextLink(ctx context.Context, c *call, at place) (string, error) {
	t := token{After: at.after.Text(), Given: at.given, Since: at.since}
	if at.counted {
		t.Count = &at.count
	}
	doc, err := json.Marshal(t)
	if err != nil {
		return "", err
	}
	return s.link(ctx, c, pageLink, doc)
}

// link returns an address that carries a token: that of the call, with the token in place of how many rows
// are skipped.
func (s *Reporting) link(ctx context.Context, c *call, kind linkKind, doc []byte) (string, error) {
	keys, err := s.keys.all(ctx, s.db.FormKeys)
	if err != nil {
		return "", err
	}
	mark := sign(keys[0], append(c.signed(kind), string(doc))...)
	var pairs []string
	for _, p := range c.pairs() {
		if !slices.Contains([]string{"skiptoken", "deltatoken", "skip"}, p.option) {
			pairs = append(pairs, p.text)
		}
	}
	pairs = append(pairs, kind.option+"="+base64.RawURLEncoding.EncodeToString(append(mark, doc...)))
	link := c.root + encoded(strings.TrimPrefix(c.pagePath(), "/")+"?"+strings.Join(pairs, "&"))
	if len(link) > longestLink {
		return "", &odata.Error{Status: http.StatusBadRequest, Message: "the answer has more rows than a page, and " +
			"the request is too long for the link to the next one: ask for it in parts, by $top and $skip"}
	}
	return link, nil
}

// encoded returns the end of an address with what may not stand in one (RFC 3986, 3.4) encoded: bodies and batches
// may hold it as it is.
func encoded(address string) string {
	var b strings.Builder
	for _, c := range []byte(address) {
		if c <= ' ' || c >= 0x7f || strings.IndexByte("\"#<>[\\]^`{|}", c) >= 0 {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// opened returns what a token carries; nil if it was not given out for this call.
func (s *Reporting) opened(ctx context.Context, c *call, kind linkKind, text string) ([]byte, error) {
	carried, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil || len(carried) < markBytes {
		return nil, nil
	}
	mark, doc := carried[:markBytes], carried[markBytes:]
	keys, err := s.keys.all(ctx, s.db.FormKeys)
	if err != nil {
		return nil, err
	}
	values := append(c.signed(kind), string(doc))
	if !slices.ContainsFunc(keys, func(key []byte) bool { return hmac.Equal(mark, sign(key, values...)) }) {
		return nil, nil
	}
	return doc, nil
}

// position returns where a call's page begins.
func (s *Reporting) position(ctx context.Context, c *call) (place, error) {
	if c.Query.SkipToken == "" {
		return place{}, nil
	}
	wrong := &odata.Error{Status: http.StatusBadRequest, Option: "$skiptoken",
		Message: "it was not given out for this request; follow links as they are"}
	doc, err := s.opened(ctx, c, pageLink, c.Query.SkipToken)
	if err != nil {
		return place{}, err
	}
	var t token
	if doc == nil || json.Unmarshal(doc, &t) != nil {
		return place{}, wrong
	}
	at := place{given: t.Given, since: t.Since}
	if t.Count != nil {
		at.count, at.counted = *t.Count, true
	}
	if at.after, err = query.ParsePosition(c.Query, t.After); err != nil { // the program is another one now
		return place{}, wrong
	}
	return at, nil
}

// signed are what a token belongs to: the account, the path and the options, all of them decoded, since
// programs write addresses in their own ways. In which form the rows are answered does not matter.
func (c *call) signed(kind linkKind) []string {
	path, err := url.PathUnescape(c.pagePath())
	if err != nil { // it was read before
		path = c.pagePath()
	}
	values := []string{"report link", kind.name, c.in.Scope().Account, strings.Trim(path, "/")}
	for _, p := range c.pairs() {
		if !slices.Contains([]string{"", "skiptoken", "deltatoken", "skip", "format"}, p.option) {
			values = append(values, p.option, p.value)
		}
	}
	return values
}

// pagePath is the path of a page: without /$query, as its options stand in the address.
func (c *call) pagePath() string {
	path := strings.TrimSuffix(c.request.path, "/")
	if c.Path.Query {
		path = path[:strings.LastIndexByte(path, '/')]
	}
	return path
}

// A pair is an option of a request. Those of other programs have no name.
type pair struct {
	text   string // as it came
	option string // without its dollar, in lower case; an alias with its @
	value  string
}

// pairs splits the options of a call.
func (c *call) pairs() (list []pair) {
	for text := range strings.SplitSeq(c.all, "&") {
		if text == "" {
			continue
		}
		name, value, _ := strings.Cut(text, "=")
		p := pair{text: text}
		if name, err := url.QueryUnescape(name); err == nil {
			bare := strings.TrimPrefix(strings.ToLower(strings.TrimSpace(name)), "$")
			switch {
			case strings.HasPrefix(name, "@"):
				p.option = name
			case slices.Contains(systemOptions, bare):
				p.option = bare
			}
		}
		if value, err := url.QueryUnescape(value); err == nil {
			p.value = value
		}
		list = append(list, p)
	}
	return list
}

// systemOptions are the options that an answer depends on.
var systemOptions = []string{"filter", "orderby", "select", "top", "skip", "count", "search", "apply", "compute",
	"expand", "format", "skiptoken", "deltatoken"}

// sign returns a signature of values that nobody can make without the key.
func sign(key []byte, values ...string) []byte {
	h := hmac.New(sha256.New, key)
	for _, v := range values { // each with its length, so that "ab", "c" differs from "a", "bc"
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(v))))
		h.Write([]byte(v))
	}
	return h.Sum(nil)[:markBytes]
}

// linkKeys are the keys that links are signed with, those of the application's forms: the first signs,
// and any of them counts.
type linkKeys struct {
	mu   sync.Mutex
	list [][]byte
}

func (k *linkKeys) all(ctx context.Context, read func(context.Context) ([][]byte, error)) ([][]byte, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.list != nil {
		return k.list, nil
	}
	list, err := read(ctx)
	if err == nil {
		k.list = list
	}
	return list, err
}
