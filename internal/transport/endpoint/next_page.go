package endpoint

import (
	"cmp"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// mostPages bounds one answer.
//
// Decided: docs/choices.md, "Feeds".
const mostPages = 1000

var (
	errPages  = errors.New("the answer has more than 1,000 pages")
	errCircle = errors.New("the answer's pages lead in a circle")
	errNext   = errors.New("the answer's next page has an address that cannot be read")
)

// nextPage returns the address that a page names as that of the next; nil at the end.
// It must be the same system's: the next page is asked with the same credentials.
func nextPage(page *url.URL, header http.Header, inBody string) (*url.URL, error) {
	link := cmp.Or(linkNext(header.Values("Link")), inBody)
	if link == "" {
		return nil, nil
	}
	next, err := page.Parse(link)
	if err != nil || len(link) > longestAddress || next.User != nil {
		return nil, errNext
	}
	if next.Scheme == "http" && page.Scheme == "https" && next.Port() == "" {
		next.Scheme = "https" // systems behind a proxy do not know how they are called
	}
	if next.Scheme != page.Scheme || hostOf(next) != hostOf(page) {
		return nil, errors.New("the answer's next page is at another host, " + next.Host + ", which is not asked")
	}
	next.Fragment = ""
	return next, nil
}

// hostOf returns the host and the port of an address, without the usual port.
func hostOf(u *url.URL) string {
	host := strings.ToLower(u.Host)
	if usual := map[string]string{"https": ":443", "http": ":80"}[u.Scheme]; usual != "" {
		host = strings.TrimSuffix(host, usual)
	}
	return host
}

// linkNext returns the target of rel="next" among Link headers.
//
// Source: RFC 8288, section 3.
func linkNext(headers []string) string {
	for _, header := range headers {
		for header != "" {
			_, rest, ok := strings.Cut(header, "<")
			target, rest, closed := strings.Cut(rest, ">")
			if !ok || !closed {
				break
			}
			var parameters string
			parameters, header = upToComma(rest)
			for p := range strings.SplitSeq(parameters, ";") {
				name, value, _ := strings.Cut(strings.TrimSpace(p), "=")
				value = strings.ToLower(strings.Trim(strings.TrimSpace(value), `"`))
				isRel := strings.EqualFold(strings.TrimSpace(name), "rel")
				if isRel && slices.Contains(strings.Fields(value), "next") {
					return strings.TrimSpace(target)
				}
			}
		}
	}
	return ""
}

// upToComma cuts a list at its first comma that is not quoted.
func upToComma(list string) (first, rest string) {
	quoted := false
	for i := range len(list) {
		switch {
		case list[i] == '"':
			quoted = !quoted
		case list[i] == ',' && !quoted:
			return list[:i], list[i+1:]
		}
	}
	return list, ""
}

// nextLinks are where bodies in JSON name the next page: OData 4, OData 2, JSON:API.
var nextLinks = [][]string{{"@odata.nextLink"}, {"d", "__next"}, {"links", "next"}, {"links", "next", "href"}}

// deepest is how far down next pages are named.
const deepest = 3

// A linkFinder looks for the address of the next page in a body in JSON as it passes
// by, byte by byte: bodies are not held in memory for it.
type linkFinder struct {
	found string

	begun, off bool // it is JSON only if it begins with an object
	depth      int
	keys       [deepest + 1]string // of the objects down to here
	isObject   [deepest + 1]bool
	inKey      [deepest + 1]bool // the next text is a key
	inText     bool
	escaped    bool
	text       []byte // as written, with its quotes; cut
}

// Write looks at a part of the body.
func (f *linkFinder) Write(part []byte) (int, error) {
	for _, c := range part {
		if !f.begun {
			if strings.ContainsRune(" \t\r\n", rune(c)) || c == 0xef || c == 0xbb || c == 0xbf { // a byte order mark
				continue
			}
			f.begun, f.off = true, c != '{'
		}
		switch {
		case f.off:
			return len(part), nil
		case f.inText:
			f.textByte(c)
		default:
			f.structure(c)
		}
	}
	return len(part), nil
}

func (f *linkFinder) structure(c byte) {
	shallow := f.depth >= 1 && f.depth <= deepest
	switch c {
	case '"':
		f.inText, f.text = true, append(f.text[:0], c)
	case '{', '[':
		f.depth++
		if f.depth <= deepest {
			f.keys[f.depth], f.isObject[f.depth], f.inKey[f.depth] = "", c == '{', c == '{'
		}
	case '}', ']':
		f.depth--
		f.off = f.depth <= 0
	case ',':
		if shallow {
			f.inKey[f.depth] = f.isObject[f.depth]
		}
	case ':':
		if shallow {
			f.inKey[f.depth] = false
		}
	}
}

func (f *linkFinder) textByte(c byte) {
	if f.depth <= deepest && len(f.text) <= 2*longestAddress {
		f.text = append(f.text, c)
	}
	switch {
	case f.escaped:
		f.escaped = false
	case c == '\\':
		f.escaped = true
	case c == '"':
		f.inText = false
		f.textEnds()
	}
}

// textEnds takes a text as a key, or as the address if its keys are those of one.
func (f *linkFinder) textEnds() {
	if f.depth < 1 || f.depth > deepest {
		return
	}
	var text string
	if json.Unmarshal(f.text, &text) != nil {
		text = "" // it was cut
	}
	if f.inKey[f.depth] {
		f.keys[f.depth] = text
		return
	}
	path := f.keys[1 : f.depth+1]
	if f.found == "" && slices.ContainsFunc(nextLinks, func(l []string) bool { return slices.Equal(l, path) }) {
		f.found = text
	}
}
