package transport

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"gangway/internal/gangway"
)

// shortText is the length below which a secret is not looked for: a "1" is in every document.
const shortText = 4

// Texts are what is secret in settings, as a system may repeat it: plain, in base64,
// percent-encoded and escaped as in JSON. The longest comes first.
func (k Kind) Texts(settings json.RawMessage) (list []string) {
	_, secret, err := k.Split(settings)
	if err != nil {
		return nil
	}
	add := func(text string) {
		if len(text) < shortText {
			return
		}
		quoted := string(mustMarshal(text))
		list = append(list, text, quoted[1:len(quoted)-1], base64.StdEncoding.EncodeToString([]byte(text)),
			base64.URLEncoding.EncodeToString([]byte(text)), url.QueryEscape(text), url.PathEscape(text))
	}
	var walk func(value json.RawMessage)
	walk = func(value json.RawMessage) {
		for _, inner := range must(value) {
			walk(inner)
		}
		var text string
		if json.Unmarshal(value, &text) == nil {
			add(text)
			addParts(text, add)
		}
	}
	walk(secret)
	if c, err := ReadAuth(must(settings)["auth"]); err == nil && c.Kind == gangway.BasicCredentials {
		add(c.User + ":" + c.Password)
	}
	slices.SortStableFunc(list, func(a, b string) int { return len(b) - len(a) })
	return slices.Compact(list)
}

// addParts adds what is secret in an address: the values of its query, and a password before its host.
func addParts(address string, add func(string)) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return
	}
	add(u.RawQuery)
	password, _ := u.User.Password()
	add(password)
	for _, values := range u.Query() {
		for _, value := range values {
			if !strings.ContainsAny(value, "{}") { // a place, for what is asked
				add(value)
			}
		}
	}
}
