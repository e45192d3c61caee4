package mail

import (
	"context"
	"net/mail"
	"strings"
	"testing"
	"time"

	"gangway/internal/calltest"
	"gangway/internal/transport/transporttest"
)

// nothing is done when an answer was sent.
func nothing() error { return nil }

// smtpSettings are those for answers that a server sends.
func smtpSettings(s *transporttest.SMTPServer, tls string) map[string]any {
	return map[string]any{"answer": true, "smtp": map[string]any{"host": "127.0.0.1", "port": s.Port, "ca": s.CA,
		"tls": tls, "user": s.User, "password": s.Password, "from": "crew@example.com"}}
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
		office := transporttest.ServeSMTP(t, way == implicit)
		set := settingsOf(server, smtpSettings(office, way))
		for range 2 { // as after a restart
			box := mustOpen(t, set)
			for a, err := range box.Pull(t.Context(), query) {
				calltest.Done(t, err)
				if err := box.Answer(t.Context(), a.Key, "1 record was stored.\n", nothing); err != nil {
					t.Errorf("Answer = %v", err)
				}
			}
		}
		sent := office.Mails()
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
			m := calltest.Must(mail.ReadMessage(strings.NewReader(text)))(t)
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
		office := transporttest.ServeSMTP(t, false)
		box := mustOpen(t, settingsOf(server, smtpSettings(office, startTLS))).(*box)
		for a, err := range box.Pull(t.Context(), query) {
			calltest.Done(t, err)
			h, _ := readHeader([]byte("From: crewing@example.com\n\n"))
			m, err := box.compose(box.messageID("answer", a.Key), h, "Re: ", "text")
			const to = "crewing@example.com"
			if err != nil || m.To(to) != nil ||
				box.office.send(t.Context(), m, []string{to}, func() {}) != nil {
				t.Fatalf("not sent: %v", err)
			}
		}
		m := calltest.Must(mail.ReadMessage(strings.NewReader(strings.SplitN(office.Mails()[0], "\n", 2)[1])))(t)
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
	office := transporttest.ServeSMTP(t, false)
	wrong := smtpSettings(office, startTLS)
	wrong["smtp"].(map[string]any)["password"] = "tide-tables-2"
	for _, tt := range []struct {
		set  map[string]any
		good bool
	}{{wrong, false}, {smtpSettings(office, startTLS), true}} {
		box := mustOpen(t, settingsOf(server, tt.set))
		for a, err := range box.Pull(t.Context(), query) {
			calltest.Done(t, err)
			if err := box.Answer(t.Context(), a.Key, "text", nothing); (err == nil) != tt.good ||
				err != nil && strings.Contains(err.Error(), "tide-tables") {
				t.Errorf("Answer = %v", err)
			}
		}
	}
	if n := len(office.Mails()); n != 1 {
		t.Errorf("%d answers; want one", n)
	}
}

// TestAcceptedIsSent checks that an answer counts as sent once the server has accepted it, whatever becomes of the
// connection, and that this is noted before the mail is marked.
func TestAcceptedIsSent(t *testing.T) {
	server, office := transporttest.ServeIMAP(t), transporttest.ServeSMTP(t, false)
	office.HangsUp.Store(true)
	deliver(t, server.Maildir, simple("crewing@example.com", "one"), time.Hour)
	box := mustOpen(t, settingsOf(server, smtpSettings(office, startTLS)))
	ctx, stop := context.WithCancel(t.Context())
	var keys []string
	for a, err := range box.Pull(t.Context(), query) {
		calltest.Done(t, err)
		keys = append(keys, a.Key)
	}
	noted := 0
	sent := func() error {
		noted++
		stop() // and then the program is asked to end: the mail is not marked any more
		return nil
	}
	if err := box.Answer(ctx, keys[0], "text", sent); err == nil || noted != 1 || len(office.Mails()) != 1 {
		t.Fatalf("Answer = %v, noted %d times, %d accepted; want it noted though it could not be marked", err, noted,
			len(office.Mails()))
	}
	if err := box.Answer(t.Context(), keys[0], "text", nothing); err != nil || len(office.Mails()) != 2 {
		t.Errorf("Answer = %v, %d accepted; want no error of a server that hangs up", err, len(office.Mails()))
	}
}
