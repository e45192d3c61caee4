// Package mail reads documents from a mailbox at a customer's IMAP server: the attachments
// of mails, or their text, and answers who sent them if the customer wants that. And it sends
// mails by the operator's own server.
package mail

import (
	"cmp"
	"context"
	"crypto/tls"
	"encoding/json"
	"net"
	"net/mail"
	"strings"

	"gangway/internal/gangway"
	"gangway/internal/transport"
	"gangway/internal/transport/guard"
	"gangway/internal/transport/limit"
)

// settings are those of Kind, as they are read.
type settings struct {
	server
	Mailbox string   `json:"mailbox"`
	From    []string `json:"from"`
	Answer  bool     `json:"answer"`

	AuthenticatedBy string `json:"authenticated_by"`

	SMTP *struct {
		server
		From string `json:"from"`
	} `json:"smtp"`
}

// A server is where and as whom to sign in.
type server struct {
	Host     string `json:"host"`
	Port     int    `json:"port"`
	TLS      string `json:"tls"`
	CA       string `json:"ca"`
	User     string `json:"user"`
	Password string `json:"password"`
}

// The two ways to begin TLS. Mail is read over nothing else.
const (
	implicit = "implicit" // from the first byte
	startTLS = "starttls" // asked for on a connection without it
)

// Kind is mail for feeds.
var Kind = transport.Kind{
	Name:     "mail",
	About:    "the attachments of mails in a mailbox at an IMAP server, or their text",
	Settings: table,
	Caution: func(doc json.RawMessage) string {
		var s settings
		if json.Unmarshal(doc, &s) != nil || s.AuthenticatedBy != "" {
			return ""
		}
		return "Senders are not verified: this feed believes the From of each mail. Set authenticated_by, or let " +
			"your mail server refuse forged senders."
	},
	Example: `{"host": "imap.example.com", "tls": "implicit", "user": "crew@example.com", "password": "tide-tables", ` +
		`"mailbox": "INBOX", "from": ["crewing@example.com"], "answer": true, "smtp": {"host": "smtp.example.com", ` +
		`"tls": "starttls", "user": "crew@example.com", "password": "tide-tables", "from": "crew@example.com"}}`,
	Open: open,
}

// serverTable are the settings of a server, whose ports are these with implicit TLS and without.
func serverTable(host, portImplicit, portStartTLS, usual string, signIn bool) []transport.Setting {
	return []transport.Setting{
		{Name: "host", Type: transport.Text, About: "the server's name", Example: `"` + host + `"`,
			Required: true, System: true},
		{Name: "port", Type: transport.Number, About: "unless told otherwise " + portImplicit + ", and " +
			portStartTLS + " for starttls", Example: portImplicit, System: true},
		{Name: "tls", Type: transport.Text, About: `"implicit" (from the first byte) or "starttls" (asked for after ` +
			`connecting); left out: ` + usual, Example: `"` + usual + `"`, System: true},
		{Name: "ca", Type: transport.Lines, About: "the certificate of the authority that issued the server's, " +
			"in PEM, if it is none of the public ones", Example: `"-----BEGIN CERTIFICATE-----\n…"`, System: true},
		{Name: "user", Type: transport.Text, About: "who signs in", Example: `"crew@example.com"`, Required: signIn,
			System: true},
		{Name: "password", Type: transport.Text, About: "the user's password", Example: `"tide-tables"`,
			Required: signIn, Secret: transport.Whole},
	}
}

var table = append(serverTable("imap.example.com", "993", "143", implicit, true),
	transport.Setting{Name: "mailbox", Type: transport.Text, About: "the folder of mails; left out: INBOX",
		Example: `"INBOX"`},
	transport.Setting{Name: "from", Type: transport.List, About: "the addresses whose mails are read; @example.com " +
		"is everybody there", Example: `["crewing@example.com", "@agency.example"]`, Required: true},
	transport.Setting{Name: "authenticated_by", Type: transport.Text, Example: `"mx.example.com"`,
		About: "the name that your mail server puts first in Authentication-Results: only mails whose sender passed " +
			"DMARC there are read; left out: senders are not verified"},
	transport.Setting{Name: "answer", Type: transport.YesNo, About: "whether each mail is answered with what was " +
		"stored or what was wrong; needs smtp", Example: `true`},
	transport.Setting{Name: "smtp", Type: transport.Object, About: "the server that sends the answers",
		Example: `{"host": "smtp.example.com", "from": "crew@example.com"}`,
		Members: append(serverTable("smtp.example.com", "465", "587", startTLS, false),
			transport.Setting{Name: "from", Type: transport.Text, About: "the address that answers come from",
				Example: `"crew@example.com"`, Required: true, System: true})},
)

// A box is a transport.Answerer of the mails in a mailbox.
type box struct {
	settings
	imapTLS *tls.Config
	dial    func(ctx context.Context, network, address string) (net.Conn, error)
	office  *office // that answers are sent by; nil: none
	idle    transport.Rest[*session]
}

func open(raw json.RawMessage, o transport.Options) (transport.Puller, error) {
	b := &box{}
	if err := (transport.Kind{Settings: table}).Read(raw, &b.settings); err != nil {
		return nil, err
	}
	g := guard.New(o.Allow)
	b.dial = g.DialContext
	b.Mailbox = cmp.Or(b.Mailbox, "INBOX")
	b.TLS = cmp.Or(b.TLS, implicit)
	var err error
	if b.imapTLS, err = b.check("", g, map[string]int{implicit: 993, startTLS: 143}); err != nil {
		return nil, err
	}
	if len(b.From) == 0 {
		return nil, gangway.Errorf(gangway.Invalid, "from must name whose mails are read")
	}
	for _, from := range b.From {
		if a, err := mail.ParseAddress("x" + from); err != nil || a.Name != "" || !strings.Contains(from, "@") {
			return nil, gangway.Errorf(gangway.Invalid, "from must have addresses like crewing@example.com or "+
				"@example.com")
		}
	}
	if strings.ContainsAny(b.AuthenticatedBy, " ;=()\"\\") {
		return nil, gangway.Errorf(gangway.Invalid, "authenticated_by must be one name, as in mx.example.com")
	}
	if b.SMTP == nil {
		if b.settings.Answer {
			return nil, gangway.Errorf(gangway.Invalid, "smtp is missing: answers are sent by it")
		}
		return b, nil
	}
	b.SMTP.TLS = cmp.Or(b.SMTP.TLS, startTLS)
	secure, err := b.SMTP.check("smtp.", g, map[string]int{implicit: 465, startTLS: 587})
	if err != nil {
		return nil, err
	}
	if a, err := mail.ParseAddress(b.SMTP.From); err != nil || a.Address != b.SMTP.From {
		return nil, gangway.Errorf(gangway.Invalid, "smtp.from must be an address like crew@example.com")
	}
	b.office = &office{b.SMTP.server, b.SMTP.From, b.secrets(), secure, b.dial}
	return b, nil
}

// check refuses settings of a server that cannot be, and fills in its port.
func (s *server) check(path string, g *guard.Guard, ports map[string]int) (*tls.Config, error) {
	if s.Port > 65535 {
		return nil, gangway.Errorf(gangway.Invalid, "%sport must be from 1 to 65535", path)
	}
	if ports[s.TLS] == 0 {
		return nil, gangway.Errorf(gangway.Invalid, "%stls must be %s or %s", path, implicit, startTLS)
	}
	s.Port = cmp.Or(s.Port, ports[s.TLS])
	if err := g.CheckHost(s.Host); err != nil {
		return nil, gangway.Errorf(gangway.Invalid, "%shost: %s", path, err)
	}
	roots, err := transport.ReadAuthorities(path+"ca", s.CA)
	return &tls.Config{ServerName: s.Host, MinVersion: tls.VersionTLS12, RootCAs: roots}, err
}

func isControl(r rune) bool { return r < ' ' || r == 0x7f }

// sender returns who wrote a mail, and why it is not read.
func (b *box) sender(h header) (from string, wrong error) {
	from, wrong = h.sender()
	switch domain := from[strings.LastIndex(from, "@")+1:]; {
	case wrong != nil:
	case !b.allowed(from):
		wrong = gangway.Errorf(gangway.Denied, "mails from %s are not read: the feed does not name this sender",
			limit.Words(from))
	case b.AuthenticatedBy != "" && !h.passedDMARC(b.AuthenticatedBy, domain):
		wrong = gangway.Errorf(gangway.Denied, "this mail from %s is not read: %s does not say that it passed DMARC "+
			"(Authentication-Results)", limit.Words(from), b.AuthenticatedBy)
	}
	return from, wrong
}

// allowed reports whether mails of an address are read.
func (b *box) allowed(address string) bool {
	address = strings.ToLower(address)
	for _, from := range b.From {
		from = strings.ToLower(from)
		if address == from || from[0] == '@' && strings.HasSuffix(address, from) {
			return true
		}
	}
	return false
}
