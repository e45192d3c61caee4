package gangway

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"strings"
)

// A CredentialsKind is a way for us to authenticate to a customer's system.
type CredentialsKind string

const (
	NoCredentials          CredentialsKind = "none"
	BasicCredentials       CredentialsKind = "basic"       // a user name and a password
	BearerCredentials      CredentialsKind = "bearer"      // a token
	HeaderCredentials      CredentialsKind = "header"      // a header of the customer's own
	CertificateCredentials CredentialsKind = "certificate" // a TLS client certificate
)

// Credentials are what we authenticate with when we call a customer's system,
// for outlets and for feeds. They are one value of one kind, and are sealed as
// a whole.
//
// Printing, logging or encoding Credentials shows nothing but their kind. Only
// Reveal and the fields themselves give more.
//
// Decided: docs/choices.md, "Credentials of customers' systems".
type Credentials struct {
	Kind CredentialsKind // empty is none

	User, Password   string // basic
	Token            string // bearer
	Name, Value      string // header
	Certificate, Key string // certificate: PEM, the client's own certificate first, then its chain
}

// A credentialMember is one of the texts that make up credentials of a kind.
type credentialMember struct {
	name  string // as in the JSON object
	in    func(*Credentials) *string
	check func(string) error // its error never contains the value
}

// credentialMembers are the kinds, with the members of each.
var credentialMembers = map[CredentialsKind][]credentialMember{
	NoCredentials: {},
	BasicCredentials: {
		{"user", func(c *Credentials) *string { return &c.User }, checkUser},
		{"password", func(c *Credentials) *string { return &c.Password }, checkPassword},
	},
	BearerCredentials: {
		{"token", func(c *Credentials) *string { return &c.Token }, checkToken},
	},
	HeaderCredentials: {
		{"name", func(c *Credentials) *string { return &c.Name }, checkHeaderName},
		{"value", func(c *Credentials) *string { return &c.Value }, checkHeaderValue},
	},
	CertificateCredentials: {
		{"certificate", func(c *Credentials) *string { return &c.Certificate }, checkCertificate},
		{"key", func(c *Credentials) *string { return &c.Key }, checkKey},
	},
}

// check returns what is wrong with complete credentials, and names the member.
func (c Credentials) check() error {
	for _, m := range credentialMembers[c.Kind] {
		if err := m.check(*m.in(&c)); err != nil {
			return Errorf(Invalid, "auth.%s %v", m.name, err)
		}
	}
	if c.Kind == CertificateCredentials {
		return c.checkPair()
	}
	return nil
}

// Any reports whether there are any credentials.
func (c Credentials) Any() bool { return c.Kind != "" && c.Kind != NoCredentials }

// Reveal returns the credentials as JSON that ReadCredentials can read. It is
// only for sealing them.
func (c Credentials) Reveal() ([]byte, error) {
	members := map[string]string{"kind": string(c.Kind)}
	for _, m := range credentialMembers[c.Kind] {
		members[m.name] = *m.in(&c)
	}
	return json.Marshal(members)
}

// Secrets returns the parts of the credentials that must stay secret. A user's
// name and a certificate are not: every system called sees them.
func (c Credentials) Secrets() (list []string) {
	for _, secret := range []string{c.Password, c.Token, c.Value, c.Key} {
		if secret != "" {
			list = append(list, secret)
		}
	}
	return list
}

// String returns the kind.
func (c Credentials) String() string {
	if !c.Any() {
		return string(NoCredentials)
	}
	return string(c.Kind)
}

// Format writes the kind, whatever the verb.
func (c Credentials) Format(f fmt.State, _ rune) { io.WriteString(f, c.String()) }

// LogValue returns the kind.
func (c Credentials) LogValue() slog.Value { return slog.StringValue(c.String()) }

// MarshalJSON writes the kind, so that anything that contains credentials may
// be shown: {"kind":"basic"}.
func (c Credentials) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]string{"kind": c.String()})
}

// checkUser follows RFC 7617, in which a colon ends the user's name.
func checkUser(text string) error {
	if text == "" {
		return errEmpty
	}
	if strings.Contains(text, ":") {
		return errColon
	}
	return checkPassword(text)
}

func checkPassword(text string) error {
	if len(text) > longestCredential {
		return errLongCredential
	}
	if strings.ContainsFunc(text, isControl) {
		return errControl
	}
	return nil
}

// checkToken checks what follows the word Bearer. Tokens in use have more
// characters than RFC 6750 allows, but no blanks.
func checkToken(text string) error {
	switch {
	case text == "":
		return errEmpty
	case len(text) > longestCredential:
		return errLongCredential
	case strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r >= 0x7f }):
		return errToken
	}
	return nil
}
