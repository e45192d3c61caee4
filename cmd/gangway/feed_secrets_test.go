package main

import (
	"bytes"
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestFeedSecretsAreNowhere holds that what a feed is given as a secret is in no output, in no log and nowhere in the
// database, also where the customer's system repeats it.
func TestFeedSecretsAreNowhere(t *testing.T) {
	t.Setenv("GANGWAY_SECRET_KEYS", "YSBrZXkgZm9yIHRlc3RzOyBpdCBpcyBubyBzZWNyZXQ=")
	secrets := []string{"p4ssw0rd-of-halcyon", base64.StdEncoding.EncodeToString([]byte("crew:p4ssw0rd-of-halcyon")),
		"t0ken-of-halcyon", "v4lue-of-halcyon", "b0dy-of-halcyon", "h3ader-of-halcyon", "qu3ry-of-halcyon"}
	// It answers with all that it was sent, as systems that are being set up often do.
	system := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusUnauthorized)
		r.Write(w)
	}))
	t.Cleanup(system.Close)
	onEither(t, func(t *testing.T, database string) {
		v := newCustomerOf(t, database)
		var said bytes.Buffer
		tell := func(in string, args ...string) {
			t.Helper()
			cmd := gangwayCommand(t, v.of(nil, args...)...)
			cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(in), &said, &said
			cmd.Run() // what a system that refuses everything makes of it is said, too
		}
		p, _, _ := serve(t, database, "--allow-network", "127.0.0.0/8")
		for _, auth := range []string{
			`{"kind": "basic", "user": "crew", "password": "p4ssw0rd-of-halcyon"}`,
			`{"kind": "bearer", "token": "t0ken-of-halcyon"}`,
			`{"kind": "header", "name": "X-Api-Key", "value": "v4lue-of-halcyon"}`,
		} {
			feed := `{"name": "crew", "flow": "travellers", "transport": {"kind": "endpoint", "url": "` + system.URL +
				`/crew?key=qu3ry-of-halcyon", "method": "POST", "body": "{\"key\": \"b0dy-of-halcyon\"}",
				"headers": {"Content-Type": "application/json", "X-Tenant": "h3ader-of-halcyon"}, "auth": ` + auth + `}}`
			tell(feed, "feed", "set", "--file", "-", "--allow-network", "127.0.0.0/8")
			tell(feed, "feed", "test", "--file", "-", "--allow-network", "127.0.0.0/8")
			tell(feed[:len(feed)-2], "feed", "set", "--file", "-", "--allow-network", "127.0.0.0/8")
			tell(strings.Replace(feed, "/crew?", "/crew?x=", 1)+"!", "feed", "set", "--file", "-")
			tell("", "feed", "run", "crew", "--allow-network", "127.0.0.0/8")
			tell("", "feed", "run", "crew")
			for _, flag := range [][]string{nil, {"--json"}} {
				tell("", append([]string{"feed", "show", "crew"}, flag...)...)
				tell("", append([]string{"feed", "list"}, flag...)...)
			}
		}
		audit, err := gangwayCommand(t, v.with(nil, "audit", "--json")...).Output()
		if err != nil || !strings.Contains(string(audit), "feed.set") {
			t.Fatalf("the audit log: %s, %v", audit, err)
		}
		shown, err := gangwayCommand(t, v.of(nil, "feed", "show", "crew", "--json")...).Output()
		if err != nil {
			t.Fatalf("feed show: %s, %v", shown, err)
		}
		tell(string(shown), "feed", "set", "--file", "-", "--allow-network", "127.0.0.0/8") // it is due again
		eventually(t, "the server fetches it", func() bool {
			return strings.Contains(p.said.String(), "a feed could not be fetched")
		})
		p.stop()
		if !strings.Contains(said.String(), "401") {
			t.Errorf("the commands said %s; want why it fails", &said)
		}
		everything := bytes.Join([][]byte{dump(t, database), said.Bytes(), audit, []byte(p.said.String())}, nil)
		for _, secret := range secrets {
			if at := bytes.Index(everything, []byte(secret)); at >= 0 {
				t.Errorf("%q is in it: …%.200q", secret, everything[max(0, at-150):])
			}
		}
	})
}
