package endpoint

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gangway/internal/gangway"
)

// What of an exchange may be shown: headers that carry no secret by what they are for, and of the
// others nothing, not even their names, which could repeat what was sent.
//
// Decided: docs/choices.md, "The integration doctor".

// plainAnswerHeaders say something about an answer and are nobody's secret.
var plainAnswerHeaders = []string{"Accept-Ranges", "Age", "Allow", "Cache-Control", "Connection",
	"Content-Disposition", "Content-Encoding", "Content-Language", "Content-Length", "Content-Type", "Date", "Etag",
	"Expires", "Last-Modified", "Link", "Location", "Pragma", "Retry-After", "Server", "Vary", "Via",
	"Www-Authenticate", "X-Powered-By", "X-Request-Id"}

// longestHeader is how much of a header's value is shown, and mostValues how many it may have.
const (
	longestHeader = 300
	mostValues    = 10
)

// answerHeaders are the headers of an answer that may be shown, without what was sent.
func answerHeaders(res *http.Response, secrets []string) http.Header {
	shown := http.Header{}
	for _, name := range plainAnswerHeaders {
		values := res.Header.Values(name)
		for _, value := range values[:min(len(values), mostValues)] {
			switch name {
			case "Location":
				value = elsewhere(res)
			case "Link", "Content-Disposition":
				value = withoutQueryValues(value)
			}
			value = withoutSecrets(value, secrets)
			shown.Add(name, strings.ToValidUTF8(value[:min(len(value), longestHeader)], ""))
		}
	}
	if len(res.Header.Values("Set-Cookie")) > 0 {
		shown.Set("Set-Cookie", "…")
	}
	return shown
}

// queryValue is a value in the query of an address, with its name.
var queryValue = regexp.MustCompile(`([?&][^=&<> ]*=)([^&<> ]*)`)

// pageNumbers are the values by which pages are counted.
var pageNumbers = regexp.MustCompile(
	`(?i)^[?&]\$?(page|offset|skip|start|limit|top|per_page|page_size|size)=[0-9]{1,9}$`)

// withoutQueryValues leaves out the values in addresses, which may be keys, but not a page's number.
func withoutQueryValues(text string) string {
	return queryValue.ReplaceAllStringFunc(text, func(pair string) string {
		if pageNumbers.MatchString(pair) {
			return pair
		}
		name, _, _ := strings.Cut(pair, "=")
		return name + "=…"
	})
}

// shownHeaders leaves out what may be secret in the headers of a request: whatever the customer had added,
// but for what says which format is wanted.
func shownHeaders(sent, added http.Header) http.Header {
	own := []string{"Accept", "Accept-Encoding", "Content-Type", "User-Agent", "Webhook-Id", "Webhook-Timestamp",
		"Webhook-Signature"}
	shown := http.Header{}
	for name, values := range sent {
		_, theirs := added[name]
		if !isPlainHeader(name) && (theirs || !slices.Contains(own, name)) {
			values = []string{"…"}
		}
		shown[name] = values
	}
	return shown
}

// isPlainHeader reports whether a header that a customer has added says only which format is wanted or sent.
func isPlainHeader(name string) bool {
	return slices.Contains([]string{"Accept", "Accept-Charset", "Accept-Language", "Cache-Control", "Content-Type",
		"Soapaction"}, http.CanonicalHeaderKey(name))
}

// isPlainValue reports whether a value in an address is one that every system knows, and so no key: it
// would be hidden in all that the system answers.
func isPlainValue(value string) bool {
	return slices.Contains([]string{"json", "xml", "csv", "yaml", "true", "false", "utf-8", "utf8", "asc", "desc",
		"application/json", "application/xml", "application/yaml", "text/xml", "text/csv", "text/plain"},
		strings.ToLower(value))
}

// shownAddress leaves out of an address what is secret in its query: whatever was not asked for.
func shownAddress(u *url.URL, ask gangway.Ask) string {
	var query []string
	for pair := range strings.SplitSeq(u.RawQuery, "&") {
		name, value, is := strings.Cut(pair, "=")
		text, err := url.QueryUnescape(value)
		if is && (err != nil || !isPlainValue(text) && !slices.Contains([]string{ask.Surname, string(ask.From),
			string(ask.To), string(ask.Date)}, text)) {
			pair = name + "=…"
		}
		query = append(query, pair)
	}
	shown := u.Scheme + "://" + u.Host + u.EscapedPath()
	if u.RawQuery == "" {
		return shown
	}
	return shown + "?" + strings.Join(query, "&")
}

// shortSecret is the length below which a value is none: a "1" in every answer is not to be hidden.
const shortSecret = 4

// secrets are what is secret in the puller's settings.
func (p *puller) secrets() []string { return secretsIn(p.credentials, p.headers, p.url, p.body) }

// secretsIn are what is secret in what is sent, in every form in which an answer may repeat it, the longest
// first: in credentials, headers, an address and further texts.
func secretsIn(c gangway.Credentials, headers http.Header, address string, more ...string) []string {
	list := sentSecrets(c)
	add := func(text string) {
		if len(text) >= shortSecret {
			list = append(list, repeated(text)...)
		}
	}
	for name, values := range headers {
		if !isPlainHeader(name) {
			add(values[0])
		}
	}
	if u, err := url.Parse(address); err == nil {
		for _, values := range u.Query() {
			for _, value := range values {
				if !hasPlace(value) && !isPlainValue(value) {
					add(value)
				}
			}
		}
	}
	for _, text := range more {
		add(text)
	}
	slices.SortStableFunc(list, func(a, b string) int { return len(b) - len(a) })
	return list
}

// repeated are the forms in which an answer, or an error, may repeat a secret: as it is, in Go's
// quotes, in JSON (also as PHP writes it), in XML, on a web page, and in an address.
func repeated(secret string) []string {
	inQuotes := func(quoted string) string { return quoted[1 : len(quoted)-1] }
	list := []string{inJSON(secret), inQuotes(strconv.Quote(secret)), inQuotes(strconv.QuoteToASCII(secret))}
	for _, text := range list {
		list = append(list, strings.ReplaceAll(text, "/", `\/`))
	}
	list = append(list, secret, inXML(secret), html.EscapeString(secret), url.QueryEscape(secret),
		url.PathEscape(secret))
	slices.Sort(list)
	return slices.Compact(list)
}
