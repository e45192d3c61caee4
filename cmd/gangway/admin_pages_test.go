package main

import (
	"bytes"
	"crypto/x509"
	"fmt"
	"html"
	"io"
	"mime/quotedprintable"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store/storetest"
	"gangway/internal/transport/mail"
	"gangway/internal/transport/transporttest"
	"gangway/internal/web/app/shell"
)

// What the pages of people, keys and the account refuse is what the commands refuse, for the same reason. And where
// there is a mail server, an invitation goes by mail, which alone has its address.
func TestAdminPages(t *testing.T) {
	database := storetest.SQLiteURL(t)
	db := openStore(t, database)
	office := transporttest.ServeSMTP(t, true)
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM([]byte(office.CA))
	mailer := sure(mail.NewMailer(mail.MailerConfig{From: "gangway@gangway.example", Roots: roots,
		URL:      fmt.Sprintf("smtps://%s@127.0.0.1:%d", office.User, office.Port),
		Password: office.Password}))(t)
	at, _ := serverOf(t, serverParts{db: db, now: time.Now, mailer: mailer})
	made := sure(createCustomer(t.Context(), storetest.Operator, db, "Halcyon Tankers", time.Now()))(t)
	admin := hire(t, db, made.Customer, ines, gangway.Admin)
	b := newBrowser(t, at.app.String())
	must(t, b.signIn(ines, tideTables))

	invite := func(email, by string) page {
		t.Helper()
		return sure(b.send("/settings/people/invite", url.Values{"email": {email}, "name": {"Arto Laine"},
			"role": {"booker"}, "by": {by}}))(t)
	}
	invited := invite("arto@halcyon.example", "mail")
	if len(office.Mails()) != 1 || invited.path != "/settings/people" ||
		strings.Contains(invited.html, "/invitations/") {
		t.Fatalf("%d mails were sent, and the page is %s:\n%s", len(office.Mails()), invited.path, invited.text())
	}
	letter := string(sure(io.ReadAll(quotedprintable.NewReader(strings.NewReader(office.Mails()[0]))))(t))
	link := regexp.MustCompile(regexp.QuoteMeta(at.app.String()) + `(/invitations/[a-z2-7]{32})`).
		FindStringSubmatch(letter)
	if link == nil || !strings.Contains(letter, "arto@halcyon.example") {
		t.Fatalf("the mail has no invitation:\n%s", letter)
	}
	guest := newBrowser(t, at.app.String())
	chooses := func(password string) page {
		t.Helper()
		return sure(guest.send(link[1], url.Values{"new": {password}, "again": {password}}))(t)
	}

	type form = url.Values
	change := "/settings/people/" + admin.ID + "/change"
	odd := strings.Repeat("x", 201)
	of := []string{"--customer", made.Customer}
	in := append(of[:2:2], "--environment", "production")
	for name, tt := range map[string]struct {
		command []string
		with    []string // its flags for the customer
		typed   string
		page    func() page
	}{
		"an address": {[]string{"user", "create", "--email", "arto", "--role", "booker"}, of, "",
			func() page { return invite("arto", "link") }},
		"an address of other letters": {[]string{"user", "create", "--role", "booker", "--email",
			"аna@halcyon.example"}, of, "", func() page { return invite("аna@halcyon.example", "link") }},
		"an address that is taken": {[]string{"user", "create", "--email", ines, "--role", "booker"}, of, "",
			func() page { return invite(ines, "link") }},
		"a name": {[]string{"user", "create", "--email", "new@halcyon.example", "--role", "booker", "--name", odd},
			of, "", func() page {
				return sure(b.send("/settings/people/invite", form{"email": {"new@halcyon.example"}, "name": {odd},
					"role": {"booker"}}))(t)
			}},
		"the last admin, off": {[]string{"user", "disable", "--email", ines}, of, "", func() page {
			return sure(b.send(change, form{"do": {"off"}, "sure": {"yes"}}))(t)
		}},
		"the last admin, as a booker": {[]string{"user", "role", "--email", ines, "--role", "booker"}, of, "",
			func() page {
				return sure(b.send(change, form{"do": {"role"}, "role": {"booker"}, "sure": {"yes"}}))(t)
			}},
		"a short password": {[]string{"user", "password", "--email", ines, "--password-stdin"}, of, "tide",
			func() page { return chooses("tide") }},
		"a common password": {[]string{"user", "password", "--email", ines, "--password-stdin"}, of, "iloveyou",
			func() page { return chooses("iloveyou") }},
		"one's own name as a password": {[]string{"user", "password", "--email", ines, "--password-stdin"}, of,
			"HalcyonTankers1", func() page { return chooses("HalcyonTankers1") }},
		"a key's name": {[]string{"key", "create", "--name", odd}, in, "", func() page {
			return sure(b.send("/settings/keys", form{"kind": {"api_key"}, "name": {odd}}))(t)
		}},
		"a report login's name": {[]string{"report-login", "create", "--name", odd}, in, "", func() page {
			return sure(b.send("/settings/keys", form{"kind": {"report_login"}, "name": {odd}}))(t)
		}},
		"a company's name": {[]string{"account", "create", odd}, nil, "", func() page {
			return sure(b.send("/settings/account", form{"name": {odd}}))(t)
		}},
		"a currency": {[]string{"account", "supplier", "--currency", "XXX"}, in, "", func() page {
			return sure(b.send("/settings/account/currency", form{"currency": {"XXX"}, "sure": {"yes"}}))(t)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			var said bytes.Buffer
			args := append(append(tt.command, tt.with...), "--database", database)
			err := run(&terminal{ctx: t.Context(), in: strings.NewReader(tt.typed + "\n"), out: &said, err: &said,
				now: time.Now}, args)
			if err == nil {
				t.Fatalf("the command did it: %s", &said)
			}
			_, why, prefixed := strings.Cut(err.Error(), "--currency: ")
			if !prefixed {
				why = err.Error()
			}
			if p := tt.page(); p.status < 400 || p.status >= 500 ||
				!strings.Contains(html.UnescapeString(p.html), shell.AsSentence(why)) {
				t.Fatalf("the command says %q, and the page, with %d:\n%s", why, p.status, p.text())
			}
		})
	}
	if p := chooses(tideTables + " and ebb"); p.status != http.StatusOK || p.path != "/" {
		t.Fatalf("accepting ends at %s with %d", p.path, p.status)
	}
	if sent := invite("arto@halcyon.example", "mail"); sent.status != http.StatusUnprocessableEntity {
		t.Fatalf("somebody is invited again who has accepted: %d", sent.status)
	}

	// Where the mail server does not take it, the admin hands the invitation over.
	broken := sure(mail.NewMailer(mail.MailerConfig{URL: "smtp://127.0.0.1:1", From: "gangway@gangway.example"}))(t)
	at, _ = serverOf(t, serverParts{db: db, now: time.Now, mailer: broken})
	b = newBrowser(t, at.app.String())
	must(t, b.signIn(ines, tideTables))
	if p := invite("wen@halcyon.example", "mail"); !strings.Contains(p.html, at.app.String()+"/invitations/") ||
		!strings.Contains(p.html, `role="alert"`) {
		t.Fatalf("the page has no invitation, or does not say why: %d\n%s", p.status, p.text())
	}
}
