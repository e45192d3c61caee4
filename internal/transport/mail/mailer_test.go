package mail

import (
	"context"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	netmail "net/mail"
	"strings"
	"testing"
	"time"

	"gangway/internal/calltest"
	"gangway/internal/gangway"
	"gangway/internal/transport"
	"gangway/internal/transport/transporttest"
)

// operator returns the mailer of an operator whose mail server this is.
func operator(t *testing.T, s *transporttest.SMTPServer, scheme string) *Mailer {
	t.Helper()
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM([]byte(s.CA))
	m, err := NewMailer(MailerConfig{URL: fmt.Sprintf("%s://%s@127.0.0.1:%d", scheme, s.User, s.Port),
		Password: s.Password, From: "gangway@gangway.example", Roots: roots})
	calltest.Done(t, err)
	return m
}

func mailing(t *testing.T, settings string, m transport.Mailer) transport.Sender {
	t.Helper()
	s, err := Outlet.Send(json.RawMessage(settings), transport.Options{Mailer: m})
	if err != nil {
		t.Fatalf("Send(%s): %v", settings, err)
	}
	return s
}

var outgoing = transport.Outgoing{ID: "msg_2", Name: "bkg_1-3-msg_2.json", Type: "application/json",
	Body: []byte(`{"name":"Jörg"}` + strings.Repeat(" ", 5000))}

// TestOutletSends attaches a document to a mail, by a server with TLS from the first byte and by one that begins it.
func TestOutletSends(t *testing.T) {
	for _, scheme := range []string{"smtps", "smtp"} {
		server := transporttest.ServeSMTP(t, scheme == "smtps")
		m := operator(t, server, scheme)
		for _, tt := range []struct{ settings, envelope, from, to, subject string }{
			{`{"to":"crewing@example.com"}`, "crewing@example.com", "<gangway@gangway.example>", "<crewing@example.com>",
				outgoing.Name},
			{`{"to":"Crewing <crewing@example.com>, ops@example.net","from":"Flüge <flights@gangway.example>",` +
				`"subject":"Flüge"}`,
				"crewing@example.com ops@example.net", `=?utf-8?q?Fl=C3=BCge?= <flights@gangway.example>`,
				`"Crewing" <crewing@example.com>, <ops@example.net>`, "Flüge"},
			{`{"to":["crewing@example.com","ops@example.net"]}`, "crewing@example.com ops@example.net",
				"<gangway@gangway.example>", "<crewing@example.com>, <ops@example.net>", outgoing.Name},
			{`{"to":"\"a> NOTIFY=NEVER RCPT TO:<z\"@b.example","from":"\"a@c\"@gangway.example"}`,
				"a> NOTIFY=NEVER RCPT TO:<z@b.example", `<"a@c"@gangway.example>`,
				`<"a> NOTIFY=NEVER RCPT TO:<z"@b.example>`, outgoing.Name},
		} {
			before := len(server.Mails())
			answer, err := mailing(t, tt.settings, m).Send(t.Context(), outgoing)
			if err != nil || answer.Status != 200 {
				t.Fatalf("Send by %s = %d, %v; want 200", scheme, answer.Status, err)
			}
			sent := server.Mails()
			if len(sent) != before+1 {
				t.Fatalf("the server has %d mails more; want one", len(sent)-before)
			}
			envelope, raw, _ := strings.Cut(sent[before], "\n")
			if envelope != "gangway@gangway.example "+tt.envelope {
				t.Errorf("it is from and to %s; want the operator's address and %s", envelope, tt.envelope)
			}
			msg := calltest.Must(netmail.ReadMessage(strings.NewReader(raw)))(t)
			subject, _ := (&mime.WordDecoder{}).DecodeHeader(msg.Header.Get("Subject"))
			for name, want := range map[string]string{"From": tt.from, "To": tt.to,
				"Message-Id": "<msg_2@gangway.example>", "Auto-Submitted": "auto-generated"} {
				if got := msg.Header.Get(name); got != want {
					t.Errorf("%s: %s; want %s", name, got, want)
				}
			}
			if subject != tt.subject {
				t.Errorf("Subject: %s; want %s", subject, tt.subject)
			}
			if name, body := fileOf(t, msg); name != outgoing.Name || body != string(outgoing.Body) {
				t.Errorf("%q is attached with %d bytes; want the document", name, len(body))
			}
		}
	}
}

// fileOf returns what a mail has besides its text.
func fileOf(t *testing.T, m *netmail.Message) (name, body string) {
	t.Helper()
	_, params, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	calltest.Done(t, err)
	for parts := multipart.NewReader(m.Body, params["boundary"]); ; {
		part, err := parts.NextPart()
		if err != nil {
			t.Fatalf("there is nothing attached: %v", err)
		}
		if part.FileName() == "" {
			continue
		}
		content := calltest.Must(io.ReadAll(decoded(part.Header.Get("Content-Transfer-Encoding"), part)))(t)
		return part.FileName(), string(content)
	}
}

// TestOutletRefused: settings that cannot be are refused when they are made, and what the server or the operator
// refuses is a sentence without secrets.
func TestOutletRefused(t *testing.T) {
	for settings, says := range map[string]string{
		`{}`:                              "to is missing",
		`{"to":""}`:                       "to must have addresses",
		`{"to":[]}`:                       "to must have addresses",
		`{"to":["a@b.example","no"]}`:     "to must have addresses",
		`{"to":7}`:                        "to must be a text or a list of texts",
		`{"to":"a@b.example","from":"x"}`: "from must be an address",
		`{"to":"a@b.example","subject":"a\nBcc: x@y.example"}`:              "subject must be one line",
		`{"to":"a@b.example","from":"g@x.example\r\nBcc: x@y.example"}`:     "from must be one line",
		`{"to":"a@b.example,\r\n c@d.example"}`:                             "to must be one line",
		`{"to":"a@b.example","subject":"` + strings.Repeat("ü", 201) + `"}`: "subject must have at most 200",
		`{"to":"a@b.example","host":"smtp.example.com"}`:                    "host is none of the settings",
		`{"to":"` + strings.Repeat("a@b.example,", 50) + `a@b.example"}`:    "at most 50",
	} {
		_, err := Outlet.Send(json.RawMessage(settings), transport.Options{})
		if gangway.KindOf(err) != gangway.Invalid || !strings.Contains(err.Error(), says) {
			t.Errorf("Send(%s) = %v; want %q", settings, err, says)
		}
	}
	told := func(s transport.Sender, ctx context.Context, says string) {
		t.Helper()
		_, err := s.Send(ctx, outgoing)
		if err == nil || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "ebb-tables") ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("Send = %v; want one line that says %q, without secrets", err, says)
		}
	}
	const to = `{"to":"crewing@example.com"}`
	told(mailing(t, to, nil), t.Context(), "--smtp")
	server := transporttest.ServeSMTP(t, false)
	m := operator(t, server, "smtp")
	forged := json.RawMessage(`{"to":"crewing@example.com","from":"Boss <boss@customer.example>"}`)
	if _, err := Outlet.Send(forged, transport.Options{Mailer: m}); gangway.KindOf(err) != gangway.Invalid ||
		!strings.Contains(err.Error(), "from must be an address of gangway.example") {
		t.Errorf("Send(%s) = %v; want the operator's domain", forged, err)
	}
	// Where the operator's domain is not known it is refused when it is set, and sent by nobody.
	if _, err := Outlet.Reach(t.Context(), forged, transport.Options{}, time.Now()); err == nil ||
		!strings.Contains(err.Error(), "--mail-from") {
		t.Errorf("Reach(%s) = %v; want to be told of what the domain is known by", forged, err)
	}
	told(mailing(t, string(forged), nil), t.Context(), "--smtp")
	wrong := operator(t, server, "smtp")
	wrong.office.Password = "flood-tables"
	told(mailing(t, to, wrong), t.Context(), `does not let the user "crew" in`)
	unknown := operator(t, server, "smtp")
	unknown.office.tls.RootCAs = x509.NewCertPool()
	told(mailing(t, to, unknown), t.Context(), "authority")
	early := operator(t, server, "smtps")
	told(mailing(t, to, early), t.Context(), "TLS")
	ctx, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer cancel()
	told(mailing(t, to, m), ctx, "in time")
	told(mailing(t, to, m), transport.WithHeld(t.Context(), func() bool { return false }), "another replica")
	if n := len(server.Mails()); n != 0 {
		t.Errorf("%d mails went out; want none", n)
	}
	// A server that hangs up as soon as it has the mail has it.
	server.HangsUp.Store(true)
	if _, err := mailing(t, to, m).Send(t.Context(), outgoing); err != nil || len(server.Mails()) != 1 {
		t.Errorf("Send = %v, with %d mails there; want it sent", err, len(server.Mails()))
	}
}

// TestNewMailer reads the operator's flags.
func TestNewMailer(t *testing.T) {
	for _, tt := range []struct{ url, password, from, says, tls string }{
		{"smtps://crew@mail.example.com", "ebb-tables", "g@x.example", "", "implicit 465"},
		{"smtp://crew@mail.example.com", "ebb-tables", "g@x.example", "", "starttls 587"},
		{"smtp://mail.example.com:2525", "", "g@x.example", "", "starttls 2525"},
		{"smtp://localhost", "", "g@x.example", "", "if offered 25"},
		{"smtp://[::1]:26", "", "g@x.example", "", "if offered 26"},
		{"smtp://mail:1025?tls=none", "", "g@x.example", "", "none 1025"},
		{"smtp://crew@mail?tls=none", "ebb-tables", "g@x.example", "in clear", ""},
		{"smtps://mail?tls=none", "", "g@x.example", "--smtp must be like", ""},
		{"smtps://crew:ebb-tables@mail.example.com", "", "g@x.example", "--smtp-password-file", ""},
		{"smtps://crew@mail.example.com", "", "g@x.example", "--smtp-password-file is missing", ""},
		{"smtps://mail.example.com", "ebb-tables", "g@x.example", "must have the user", ""},
		{"smtps://mail.example.com/inbox", "", "g@x.example", "--smtp must be like", ""},
		{"mail.example.com:25", "", "g@x.example", "--smtp must be like", ""},
		{"http://mail.example.com", "", "g@x.example", "--smtp must be like", ""},
		{"smtp://mail.example.com:0", "", "g@x.example", "port", ""},
		{"smtp://mail.example.com", "", "", "--mail-from", ""},
		{"smtp://mail.example.com", "", "G <g@x.example>", "--mail-from", ""},
	} {
		m, err := NewMailer(MailerConfig{URL: tt.url, Password: tt.password, From: tt.from})
		if tt.says == "" {
			if err != nil {
				t.Errorf("NewMailer(%s) = %v", tt.url, err)
			} else if got := fmt.Sprint(m.office.TLS, " ", m.office.Port); got != tt.tls {
				t.Errorf("NewMailer(%s) uses %s; want %s", tt.url, got, tt.tls)
			}
			continue
		}
		if gangway.KindOf(err) != gangway.Invalid || !strings.Contains(err.Error(), tt.says) ||
			strings.Contains(err.Error(), "ebb-tables") {
			t.Errorf("NewMailer(%s) = %v; want %q", tt.url, err, tt.says)
		}
	}
}
