package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store/storetest"
)

// TestPagesRefuseWhatCommandsRefuse sets the same outlets up by command and on the page: both refuse the same ones,
// for the same reason, and store the others alike.
func TestPagesRefuseWhatCommandsRefuse(t *testing.T) {
	database := "sqlite:" + t.TempDir() + "/gangway.db"
	db := openStore(t, database)
	made := sure(createCustomer(t.Context(), storetest.Operator, db, "Halcyon Tankers", time.Now()))(t)
	at, _ := serverOf(t, serverParts{db: db, now: time.Now})
	hire(t, db, made.Customer, ines, gangway.Admin)
	b := newBrowser(t, at.app.String())
	must(t, b.signIn(ines, tideTables))
	in := db.In(made.prod.Scope())
	for i, tt := range []struct{ name, kind, settings, more, why string }{
		{"it is right", "endpoint", `"url": "https://8.8.8.8/sync"`, ``, ""},
		{"some actions, mapped", "endpoint", `"url": "https://8.8.8.8/sync"`, `"states": ["issued"], "mapping": "."`, ""},
		{"a network of the operator's", "endpoint", `"url": "http://10.1.2.3/sync"`, ``, "--allow-network"},
		{"a cloud's metadata", "endpoint", `"url": "http://169.254.169.254/latest"`, ``, "url"},
		{"no address", "endpoint", `"url": "crew"`, ``, "must be a url"},
		{"none at all", "endpoint", ``, ``, "is missing"},
		{"a header that each push has", "endpoint", `"url": "https://8.8.8.8/", "headers": {"Webhook-Id": "1"}`, ``,
			"webhook"},
		{"half of credentials", "endpoint", `"url": "https://8.8.8.8/", "auth": {"kind": "basic", "user": "crew"}`, ``,
			"password"},
		{"no program", "endpoint", `"url": "https://8.8.8.8/"`, `"mapping": "{"`, "mapping"},
		{"a format that is only read", "endpoint", `"url": "https://8.8.8.8/"`, `"format": "yaml"`, "must be"},
		{"too often", "mail", `"to": "crew@example.com"`, `"batch": "1s"`, "must be from"},
		{"nobody's address", "mail", `"to": "crew"`, ``, "addresses like"},
		{"no way to sign in", "sftp", `"host": "8.8.8.8", "user": "crew"`, ``, ""},
		{"two words", "endpoint", `"url": "https://8.8.8.8/"`, `"name": "two words"`, "name"},
		{"a page's name", "endpoint", `"url": "https://8.8.8.8/"`, `"name": "new"`, "name"},
		{"an identifier", "endpoint", `"url": "https://8.8.8.8/"`, `"name": "out_1"`, "name"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			// The command and the page each have an outlet of their own.
			doc := func(name string) string {
				return fmt.Sprintf(`{"name": %q, "transport": {"kind": %q%s}%s}`, name, tt.kind, comma(tt.settings),
					comma(tt.more))
			}
			name := fmt.Sprint("command", i)
			if strings.Contains(tt.more, `"name"`) {
				name = ""
			}
			text := strings.Replace(doc(name), `"name": "", `, "", 1)
			command := run(&terminal{ctx: t.Context(), in: strings.NewReader(text), out: io.Discard, err: io.Discard,
				now: time.Now, name: "gangway"}, []string{"outlet", "set", "--file", "-", "--customer", made.Customer,
				"--environment", "production", "--database", database})
			form := formOf(t, text)
			if name != "" {
				form.Set("name", fmt.Sprint("page", i))
			}
			p := sure(b.send("/settings/outlets/new", form))(t)
			refused := p.status == http.StatusUnprocessableEntity
			says := func(text string) bool { return strings.Contains(strings.ToLower(text), tt.why) }
			if said := p.text(); refused != (command != nil) || refused && !(says(said) && says(command.Error())) {
				t.Fatalf("the command says %v, and the page %d %s; want both the same, and %q", command, p.status, said,
					tt.why)
			}
			if refused {
				return
			}
			byCommand := sure(in.Outlet(t.Context(), name))(t)
			byPage := sure(in.Outlet(t.Context(), form.Get("name")))(t)
			if byCommand.Address() != byPage.Address() || byCommand.Authentication() != byPage.Authentication() ||
				byCommand.Mapping != byPage.Mapping || fmt.Sprint(byCommand.States) != fmt.Sprint(byPage.States) {
				t.Errorf("by command there is %+v, and by the page %+v", byCommand, byPage)
			}
		})
	}
}

// comma puts members after others.
func comma(members string) string {
	if members == "" {
		return ""
	}
	return ", " + members
}

// formOf writes an outlet that a command takes as the page's form has it.
func formOf(t *testing.T, doc string) url.Values {
	t.Helper()
	var o struct {
		Name, Mapping, Format, Batch string
		States                       []string
		Transport                    map[string]any
	}
	must(t, json.Unmarshal([]byte(doc), &o))
	form := url.Values{"name": {o.Name}, "mapping": {o.Mapping}, "format": {o.Format}, "batch": {o.Batch},
		"state": o.States, "transport": {fmt.Sprint(o.Transport["kind"])}, "do": {"save"}}
	if o.Format == "" {
		form.Set("format", "json")
	}
	if o.States == nil {
		for _, s := range gangway.States {
			form.Add("state", string(s))
		}
	}
	for name, value := range o.Transport {
		inner, _ := value.(map[string]any)
		switch {
		case name == "kind":
		case name == "auth":
			for member, text := range inner {
				form.Set("transport.auth."+member, fmt.Sprint(text))
			}
			form.Set("transport.auth", fmt.Sprint(inner["kind"]))
		case inner != nil:
			for header, text := range inner {
				form.Add("transport."+name+".name", header)
				form.Add("transport."+name+".value", fmt.Sprint(text))
			}
		default:
			form.Set("transport."+name, fmt.Sprint(value))
		}
	}
	return form
}
