package mail

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"net"
	"net/mail"
	"strings"
	"sync"
	"testing"
	"time"

	"gangway/internal/transport/transporttest"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
)

// A postOffice is an SMTP server in this process, which keeps what it is given.
type postOffice struct {
	port int
	ca   string

	mu   sync.Mutex
	sent []string // from, to and the mail
}

func (p *postOffice) NewSession(*smtp.Conn) (smtp.Session, error) { return &counter{p: p}, nil }

// all returns what was sent.
func (p *postOffice) all() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string{}, p.sent...)
}

type counter struct {
	p        *postOffice
	in       bool
	envelope string
}

func (c *counter) AuthMechanisms() []string { return []string{sasl.Plain} }

func (c *counter) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, user, password string) error {
		if user != "crew" || password != "ebb-tables" {
			return &smtp.SMTPError{Code: 535, Message: "ebb-tables is wrong"}
		}
		c.in = true
		return nil
	}), nil
}

func (c *counter) Mail(from string, _ *smtp.MailOptions) error {
	if !c.in {
		return smtp.ErrAuthRequired
	}
	c.envelope = from
	return nil
}

func (c *counter) Rcpt(to string, _ *smtp.RcptOptions) error {
	c.envelope += " " + to
	return nil
}

func (c *counter) Data(r io.Reader) error {
	text, err := io.ReadAll(r)
	c.p.mu.Lock()
	defer c.p.mu.Unlock()
	c.p.sent = append(c.p.sent, c.envelope+"\n"+string(text))
	return err
}

func (c *counter) Reset()        {}
func (c *counter) Logout() error { return nil }

// openPostOffice starts one, with TLS from the first byte or when it is asked for.
func openPostOffice(t *testing.T, fromTheFirst bool) *postOffice {
	t.Helper()
	authority, err := transporttest.NewAuthority()
	if err != nil {
		t.Fatal(err)
	}
	certificate, key := authority.Issue(t, time.Now().Add(time.Hour), x509.ExtKeyUsageServerAuth)
	pair, err := tls.X509KeyPair([]byte(certificate), []byte(key))
	if err != nil {
		t.Fatal(err)
	}
	p := &postOffice{ca: authority.Certificate}
	server := smtp.NewServer(p)
	server.Domain = "localhost"
	server.TLSConfig = &tls.Config{Certificates: []tls.Certificate{pair}}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p.port = listener.Addr().(*net.TCPAddr).Port
	if fromTheFirst {
		listener = tls.NewListener(listener, server.TLSConfig)
	}
	go server.Serve(listener)
	t.Cleanup(func() { server.Close() })
	return p
}

func (p *postOffice) settings(tls string) map[string]any {
	return map[string]any{"answer": true, "smtp": map[string]any{"host": "127.0.0.1", "port": p.port, "ca": p.ca,
		"tls": tls, "user": "crew", "password": "ebb-tables", "from": "crew@example.com"}}
}

// TestAnswer answers mails of people, once, and nobody else.
func TestAnswer(t *testing.T) {
	server := transporttest.ServeIMAP(t)
	people := []string{
		"From: Crewing <crewing@example.com>\nReply-To: thief@example.net\nSubject: Re: Crew\n list\n" +
			"Message-ID: <1@example.com>\nReferences: <0@example.com>\n\none",
		"From: x@agency.example\nSubject: =?utf-8?q?Crew=0D=0ABcc:_thief=40example.net?=\n\ntwo",
	}
	machines := []string{
		"From: crewing@example.com\nAuto-Submitted: auto-replied\n\nthree",
		"From: crewing@example.com\nPrecedence: bulk\n\nfour",
		"From: crewing@example.com\nList-Id: <crew.example.com>\n\nfive",
		"From: no-reply@agency.example\n\nsix",
		"From: crewing@example.com\nReturn-Path: <>\n\nseven",
		"From: stranger@example.com\n\neight",
		"From: crewing@example.com, x@agency.example\n\nnine",
		"From: crewing@example.com\nFrom: stranger@example.com\n\nten",
	}
	for i, text := range append(people, machines...) {
		deliver(t, server.Maildir, text, time.Duration(20-i)*time.Hour)
	}
	for _, way := range []string{implicit, startTLS} {
		office := openPostOffice(t, way == implicit)
		set := settingsOf(server, office.settings(way))
		for range 2 { // as after a restart
			box := mustOpen(t, set)
			for a, err := range box.Pull(t.Context(), query) {
				if err != nil {
					t.Fatal(err)
				}
				if err := box.Answer(t.Context(), a.Key, "1 record was stored.\n"); err != nil {
					t.Errorf("Answer = %v", err)
				}
			}
		}
		sent := office.all()
		if way == startTLS {
			if len(sent) != 0 {
				t.Errorf("answered again: %q", sent)
			}
			break
		}
		if len(sent) != 2 {
			t.Fatalf("%d answers; want 2: %q", len(sent), sent)
		}
		for i, want := range []struct{ envelope, subject, references string }{
			{"crew@example.com crewing@example.com", "Re: Crew list", "<0@example.com> <1@example.com>"},
			{"crew@example.com x@agency.example", "Re: Crew Bcc: thief@example.net", ""},
		} {
			envelope, text, _ := strings.Cut(sent[i], "\n")
			m, err := mail.ReadMessage(strings.NewReader(text))
			if err != nil {
				t.Fatal(err)
			}
			h := header{map[string][]string(m.Header)}
			got := strings.Join(strings.Fields(h.Get("References")), " ")
			if envelope != want.envelope || h.subject() != strings.TrimPrefix(want.subject, "Re: ") ||
				got != want.references || h.Get("Auto-Submitted") != "auto-replied" || h.Get("Bcc") != "" ||
				!strings.Contains(text, "1 record was stored.") ||
				!strings.Contains(h.Get("Message-Id"), "@example.com>") {
				t.Errorf("answer %d: %s\n%s", i, envelope, text)
			}
		}
	}
}

// TestSameAnswer checks that an answer which must be repeated is recognised.
func TestSameAnswer(t *testing.T) {
	server := transporttest.ServeIMAP(t)
	deliver(t, server.Maildir, simple("crewing@example.com", "one"), time.Hour)
	var ids []string
	for range 2 {
		office := openPostOffice(t, false)
		box := mustOpen(t, settingsOf(server, office.settings(startTLS))).(*box)
		for a, err := range box.Pull(t.Context(), query) {
			if err != nil {
				t.Fatal(err)
			}
			h, _ := readHeader([]byte("From: crewing@example.com\n\n"))
			m, err := box.compose(box.messageID("answer", a.Key), h, "Re: ", "text")
			if err != nil || m.To("crewing@example.com") != nil || box.send(t.Context(), m) != nil {
				t.Fatalf("not sent: %v", err)
			}
		}
		m, err := mail.ReadMessage(strings.NewReader(strings.SplitN(office.all()[0], "\n", 2)[1]))
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, m.Header.Get("Message-Id"))
	}
	if ids[0] != ids[1] || ids[0] == "" {
		t.Errorf("the same answer is %s and %s", ids[0], ids[1])
	}
}

// TestNotSent checks the sentence about an answer that cannot be sent, and that it is
// sent later.
func TestNotSent(t *testing.T) {
	server := transporttest.ServeIMAP(t)
	deliver(t, server.Maildir, simple("crewing@example.com", "one"), time.Hour)
	office := openPostOffice(t, false)
	wrong := office.settings(startTLS)
	wrong["smtp"].(map[string]any)["password"] = "tide-tables-2"
	for _, tt := range []struct {
		set  map[string]any
		good bool
	}{{wrong, false}, {office.settings(startTLS), true}} {
		box := mustOpen(t, settingsOf(server, tt.set))
		for a, err := range box.Pull(t.Context(), query) {
			if err != nil {
				t.Fatal(err)
			}
			if err := box.Answer(t.Context(), a.Key, "text"); (err == nil) != tt.good ||
				err != nil && strings.Contains(err.Error(), "tide-tables") {
				t.Errorf("Answer = %v", err)
			}
		}
	}
	if n := len(office.all()); n != 1 {
		t.Errorf("%d answers; want one", n)
	}
}
