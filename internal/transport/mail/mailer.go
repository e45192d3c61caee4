package mail

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	netmail "net/mail"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/transport"
	"gangway/internal/transport/limit"

	"github.com/wneessen/go-mail"
	"github.com/wneessen/go-mail/smtp"
)

// Two more ways to begin TLS, which an operator may choose for a server of their own.
const (
	ifOffered  = "if offered"
	withoutTLS = "none"
)

// handing is how long a mail may take, with signing in, before it is given up.
const handing = 10 * time.Second

// A Mailer is the operator's mail server, which every mail of Gangway goes by. It is the operator's
// own, so that it may be anywhere: the guard of customers' systems is not asked.
type Mailer struct{ office *office }

// MailerConfig says where the server is, and as whom it is signed in to.
type MailerConfig struct {
	URL      string         // smtps:// (TLS from the first byte) or smtp:// (STARTTLS), with the user
	Password string         // of the user; empty: nobody signs in
	From     string         // the address that mails come from
	Roots    *x509.CertPool // the authorities that are trusted; nil: the system's
}

// NewMailer returns a mailer. Its errors are Invalid and name the flag of the command that is wrong.
func NewMailer(c MailerConfig) (*Mailer, error) {
	o := &office{from: c.From, secrets: []string{c.Password}, dial: (&net.Dialer{}).DialContext}
	if a, err := netmail.ParseAddress(c.From); err != nil || a.Address != c.From {
		return nil, gangway.Errorf(gangway.Invalid, "--mail-from must be an address like gangway@example.com")
	}
	u, err := url.Parse(c.URL)
	if err != nil || u.Host == "" || u.Path != "" || u.RawQuery != "" && u.RawQuery != "tls=none" ||
		u.Scheme != "smtp" && (u.Scheme != "smtps" || u.RawQuery != "") {
		return nil, gangway.Errorf(gangway.Invalid, "--smtp must be like smtps://user@mail.example.com or "+
			"smtp://user@mail.example.com:587, or smtp://mail.example.com:25?tls=none")
	}
	if _, there := u.User.Password(); there {
		return nil, gangway.Errorf(gangway.Invalid, "--smtp must have no password: it belongs into a file, which "+
			"--smtp-password-file names")
	}
	o.Host, o.User, o.Password = u.Hostname(), u.User.Username(), c.Password
	ip, _ := netip.ParseAddr(o.Host)
	switch {
	case u.Scheme == "smtps":
		o.TLS, o.Port = implicit, 465
	case u.RawQuery != "":
		o.TLS, o.Port = withoutTLS, 25
	case o.Host == "localhost" || ip.IsLoopback():
		o.TLS, o.Port = ifOffered, 25
	default:
		o.TLS, o.Port = startTLS, 587
	}
	if port := u.Port(); port != "" {
		if o.Port, err = strconv.Atoi(port); err != nil || o.Port < 1 || o.Port > 65535 {
			return nil, gangway.Errorf(gangway.Invalid, "--smtp must have a port from 1 to 65535")
		}
	}
	switch {
	case o.User != "" && o.Password == "":
		return nil, gangway.Errorf(gangway.Invalid, "--smtp-password-file is missing: --smtp has a user")
	case o.User == "" && o.Password != "":
		return nil, gangway.Errorf(gangway.Invalid, "--smtp must have the user whose password --smtp-password-file has")
	case o.User != "" && o.TLS == withoutTLS:
		return nil, gangway.Errorf(gangway.Invalid, "--smtp must have TLS if it has a user: the password would travel "+
			"in clear")
	case strings.ContainsFunc(o.User+o.Password, isControl):
		return nil, gangway.Errorf(gangway.Invalid, "the user and the password of --smtp must be one line")
	}
	o.tls = &tls.Config{ServerName: o.Host, MinVersion: tls.VersionTLS12, RootCAs: c.Roots}
	return &Mailer{o}, nil
}

// CheckFrom implements transport.Mailer. Whom mails are from is the operator's to say, or else anybody could write in
// anybody's name: another address than the operator's is of the same domain, for which its server may send.
func (m *Mailer) CheckFrom(address string) error {
	_, err := m.mayBeFrom(address)
	return err
}

func (m *Mailer) mayBeFrom(address string) (*netmail.Address, error) {
	from, err := netmail.ParseAddress(address)
	if err != nil {
		return nil, errFrom
	}
	if host := domain(m.office.from); !strings.EqualFold(domain(from.Address), host) {
		return nil, gangway.Errorf(gangway.Invalid, "from must be an address of %s, for which this service's mail "+
			"server may send: mails from any other would pass for forged", limit.Words(host))
	}
	return from, nil
}

// Mail implements transport.Mailer. What cannot be delivered comes back to the operator's address.
func (m *Mailer) Mail(ctx context.Context, letter transport.Mail) error {
	message, to, err := m.compose(letter)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, handing)
	defer cancel()
	return m.office.send(ctx, message, to, func() {})
}

// Try connects to the server and signs in as Mail does, and sends nothing.
func (m *Mailer) Try(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, handing)
	defer cancel()
	return m.office.talk(ctx, func(context.Context, *smtp.Client) error { return nil }, func() {})
}

// compose writes a mail, and names the addresses that it goes to.
func (m *Mailer) compose(letter transport.Mail) (message *mail.Msg, to []string, err error) {
	from, err := m.mayBeFrom(cmp.Or(letter.From, m.office.from))
	if err != nil {
		return nil, nil, err
	}
	message = mail.NewMsg()
	message.FromMailAddress(from)
	for _, address := range letter.To {
		a, err := netmail.ParseAddress(address)
		if err != nil {
			return nil, nil, errTo
		}
		to = append(to, a.Address)
		message.AddToMailAddress(a)
	}
	if len(to) == 0 {
		return nil, nil, errTo
	}
	message.SetDate()
	message.SetMessageIDWithValue(cmp.Or(letter.ID, rand.Text()) + "@" + domain(m.office.from))
	message.Subject(oneLine(letter.Subject, longestSubject))
	message.SetGenHeader("Auto-Submitted", "auto-generated")
	message.SetBodyString(mail.TypeTextPlain, strings.ToValidUTF8(letter.Text, "\uFFFD"))
	if letter.File.Name != "" {
		err := message.AttachReader(letter.File.Name, bytes.NewReader(letter.File.Body),
			mail.WithFileContentType(mail.ContentType(letter.File.Type)))
		if err != nil {
			return nil, nil, errors.New("the mail cannot be written")
		}
	}
	return message, to, nil
}

func domain(address string) string { return address[strings.LastIndex(address, "@")+1:] }
