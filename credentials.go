package gangway

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"strings"
)

// A CredentialsKind is a way to show a customer's system who calls it.
type CredentialsKind string

const (
	NoCredentials          CredentialsKind = "none"
	BasicCredentials       CredentialsKind = "basic"       // a user name and a password
	BearerCredentials      CredentialsKind = "bearer"      // a token
	HeaderCredentials      CredentialsKind = "header"      // a header of the customer's own
	CertificateCredentials CredentialsKind = "certificate" // a TLS client certificate
)

// Credentials are what a customer's system wants to be shown when we call it:
// by outlets, and by feeds. They are one value, of one kind, which is kept
// sealed as a whole.
//
// Nothing that prints, logs or encodes Credentials shows more than their kind.
// Reveal is the only way to them but the fields.
//
// Decided: docs/choices.md, "Credentials of customers' systems".
type Credentials struct {
	Kind CredentialsKind // empty is none

	User, Password   string // basic
	Token            string // bearer
	Name, Value      string // header
	Certificate, Key string // certificate: PEM, the certificate itself before those that vouch for it
}

// A credentialMember is one of the texts that credentials of a kind consist of.
type credentialMember struct {
	name  string // as in the JSON object
	in    func(*Credentials) *string
	check func(string) error // never tells of the value
}

// credentialMembers are the kinds, and what each consists of.
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

// check says what is wrong with whole credentials, and names the member.
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

// Any reports whether there is anything to show.
func (c Credentials) Any() bool { return c.Kind != "" && c.Kind != NoCredentials }

// Reveal returns the credentials as JSON, in the form that ReadCredentials
// reads. It is for sealing them, and for nothing else.
func (c Credentials) Reveal() ([]byte, error) {
	members := map[string]string{"kind": string(c.Kind)}
	for _, m := range credentialMembers[c.Kind] {
		members[m.name] = *m.in(&c)
	}
	return json.Marshal(members)
}

// Secrets returns what of the credentials nobody may read: not a user's name,
// and not a certificate, which everybody is shown.
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

// LogValue is the kind.
func (c Credentials) LogValue() slog.Value { return slog.StringValue(c.String()) }

// MarshalJSON writes the kind, so that whatever has credentials in it can be
// shown: {"kind":"basic"}.
func (c Credentials) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]string{"kind": c.String()})
}

// checkUser goes by RFC 7617, where a colon ends the user's name.
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

// checkToken takes what travels behind the word Bearer. Tokens in use have
// more letters than RFC 6750 allows, but no blanks.
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
