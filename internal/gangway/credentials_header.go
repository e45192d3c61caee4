package gangway

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// longestCredential bounds a user's name, a password, a token and a header's
// value: servers accept about as much for all headers together.
const longestCredential = 7 << 10

// What may be wrong with a member, to be put after its name.
var (
	errEmpty          = errors.New("is missing")
	errLongCredential = fmt.Errorf("has more than %d bytes, which servers do not take in a header", longestCredential)
	errColon          = errors.New("must not have a colon: Basic authentication ends the user's name at the first one")
	errControl        = errors.New("must not have a line break or another control character")
	errToken          = errors.New(
		`must be the token alone, in ASCII, without blanks, line breaks and the word "Bearer"`)
	errHeaderName  = errors.New("must be the name of a header, as in X-Api-Key")
	errHeaderValue = errors.New("must be of printable ASCII, without line breaks and without blanks at its ends")
)

// ownHeaders are set by HTTP or by us, or describe the body: credentials in
// their place would break each call. Authorization is not among them, because
// many systems use it with a scheme of their own, as in "ApiKey …".
var ownHeaders = []string{
	"accept-encoding", "connection", "date", "expect", "host", "keep-alive", "range", "te", "trailer",
	"transfer-encoding", "upgrade", "user-agent",
}

// ownPrefixes are how other such headers start: those of the body, those of our
// signature, and those addressed to proxies.
var ownPrefixes = []string{"content-", "proxy-", "webhook-", "if-"}

// IsOwnHeader reports whether HTTP or we ourselves set a header of a name, so that nobody else may.
func IsOwnHeader(name string) bool {
	lower := strings.ToLower(name)
	return slices.Contains(ownHeaders, lower) ||
		slices.ContainsFunc(ownPrefixes, func(p string) bool { return strings.HasPrefix(lower, p) })
}

// headerName is the name of a header.
//
// Source: RFC 9110, section 5.6.2.
var headerName = regexp.MustCompile("^[0-9A-Za-z!#$%&'*+.^_`|~-]{1,128}$")

// IsHeaderName reports whether a text may name a header.
func IsHeaderName(text string) bool { return headerName.MatchString(text) }

func checkHeaderName(text string) error {
	switch {
	case text == "":
		return errEmpty
	case !IsHeaderName(text):
		return errHeaderName
	case IsOwnHeader(text):
		return fmt.Errorf("must not be %s, which each call already has", text)
	}
	return nil
}

func checkHeaderValue(text string) error {
	switch {
	case text == "":
		return errEmpty
	case len(text) > longestCredential:
		return errLongCredential
	case text != strings.TrimSpace(text), strings.ContainsFunc(text, func(r rune) bool {
		return r < ' ' && r != '\t' || r >= 0x7f
	}):
		return errHeaderValue
	}
	return nil
}

func isControl(r rune) bool { return r < ' ' || r >= 0x7f && r < 0xa0 }
