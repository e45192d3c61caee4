package endpoint_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"gangway/internal/calltest"
	"gangway/internal/gangway"
	"gangway/internal/transport"
	"gangway/internal/transport/endpoint"
	"gangway/internal/transport/transporttest"
)

var loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}

// settingsOf are settings with which documents are posted to an address.
func settingsOf(t *testing.T, url string, c gangway.Credentials) json.RawMessage {
	t.Helper()
	auth, err := c.Reveal()
	if c.Kind == "" {
		auth = []byte("null")
	}
	calltest.Done(t, err)
	doc := calltest.Must(json.Marshal(map[string]any{"url": url, "auth": json.RawMessage(auth)}))(t)
	return doc
}

// post posts a document by a sender of its own.
func post(t *testing.T, settings json.RawMessage, d transport.Outgoing) (transport.Answer, error) {
	t.Helper()
	s, err := endpoint.Outlet.Send(settings, transport.Options{Allow: loopback})
	if err != nil {
		return transport.Answer{}, err
	}
	defer s.(io.Closer).Close()
	return s.Send(t.Context(), d)
}

func TestSender(t *testing.T) {
	transporttest.Pusher(t, endpoint.Outlet, func(t *testing.T) transporttest.Receiver {
		var mu sync.Mutex
		var got []transport.Outgoing
		status, header, body := http.StatusOK, http.Header{}, ""
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			doc, _ := io.ReadAll(r.Body)
			mu.Lock()
			defer mu.Unlock()
			got = append(got, transport.Outgoing{Header: r.Header.Clone(), Body: doc})
			for name, values := range header {
				w.Header()[name] = values
			}
			if r.Header.Get("X-Key") != "halyard" || r.URL.Query().Get("key") != "lighthouse" {
				w.WriteHeader(http.StatusTeapot)
				return
			}
			w.WriteHeader(status)
			io.WriteString(w, body)
		}))
		t.Cleanup(server.Close)
		return transporttest.Receiver{
			Settings: json.RawMessage(fmt.Sprintf(`{"url": "%s/sync?key=lighthouse", "headers": {"X-Key": "halyard"}, `+
				`"auth": {"kind": "basic", "user": "u", "password": "tide-tables"}}`, server.URL)),
			Secrets: []string{"tide-tables", "lighthouse", "halyard"},
			Answer: func(s int, h http.Header, b string) {
				mu.Lock()
				defer mu.Unlock()
				status, header, body = s, h, b
			},
			Received: func() []transport.Outgoing {
				mu.Lock()
				defer mu.Unlock()
				return slices.Clone(got)
			},
		}
	})
}

// TestOutletSettings: what a push would refuse is refused before, by name.
func TestOutletSettings(t *testing.T) {
	for settings, says := range map[string]string{
		`{}`: "url is missing",
		`{"url": "https://crew.example/", "method": "PUT"}`:                            "method is none of the settings",
		`{"url": "https://crew.example/", "headers": {"Host": "x"}}`:                   "headers.Host must be left out",
		`{"url": "https://crew.example/", "headers": {"webhook-id": "hush"}}`:          "must be left out",
		`{"url": "https://crew.example/", "headers": {"Content-Type": "hush"}}`:        "must be left out",
		`{"url": "https://crew.example/", "headers": {"X": "hush\r\nY: 1"}}`:           "headers.X must be one line",
		`{"url": "https://crew.example/", "ca": "hush"}`:                               "ca must be PEM",
		`{"url": "https://crew.example/", "auth": {"kind": "basic", "user": "u"}}`:     "auth.password is missing",
		`{"url": "https://u:hush@crew.example/"}`:                                      "user name or password",
		`{"url": "https://crew.example/", "auth": {"kind": "token", "token": "hush"}}`: "auth.kind must be",
	} {
		_, err := endpoint.Outlet.Send(json.RawMessage(settings), transport.Options{})
		if gangway.KindOf(err) != gangway.Invalid || !strings.Contains(err.Error(), says) ||
			strings.Contains(err.Error(), "hush") {
			t.Errorf("Send(%s) = %v; want %q", settings, err, says)
		}
	}
	for _, tt := range []struct{ headers, auth, says string }{
		{`{"X": "hüsh"}`, `null`, "headers.X must be of printable ASCII"},
		{`{"X-A": "hush", "x-a": "hush"}`, `null`, "headers.x-a must be given once"},
		{`{"authorization": "hush"}`, `{"kind": "bearer", "token": "hush"}`, "headers.authorization must be left out"},
		{`{"x-key": "hush"}`, `{"kind": "header", "name": "X-Key", "value": "hush"}`, "headers.x-key must be left out"},
	} {
		doc := fmt.Appendf(nil, `{"url": "https://crew.example/", "headers": %s, "auth": %s}`, tt.headers, tt.auth)
		_, err := endpoint.Outlet.Send(doc, transport.Options{})
		if gangway.KindOf(err) != gangway.Invalid || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("Send(%s) = %v; want %q", doc, err, tt.says)
		}
	}
	for _, name := range []string{"Connection", "content-encoding", "Content-Length", "Content-Range", "Expect", "host",
		"If-Match", "Keep-Alive", "Proxy-Authorization", "TE", "Transfer-Encoding", "User-Agent", "webhook-signature"} {
		settings := fmt.Sprintf(`{"url": "https://crew.example/", "headers": {%q: "hush"}}`, name)
		_, err := endpoint.Outlet.Send(json.RawMessage(settings), transport.Options{})
		if want := "headers." + name + " must be left out"; gangway.KindOf(err) != gangway.Invalid ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("Send(%s) = %v; want %q", settings, err, want)
		}
	}
}

// TestOutletWarnings: credentials that others on the way can read are taken with a warning.
func TestOutletWarnings(t *testing.T) {
	private := transport.Options{Allow: []netip.Prefix{netip.MustParsePrefix("10.20.0.0/16")}}
	for settings, says := range map[string]string{
		`{"url": "http://10.20.0.5/a", "auth": {"kind": "basic", "user": "u", "password": "hidden"}}`:     ".5 in",
		`{"url": "HTTP://10.20.0.5:81/?k=hidden", "auth": {"kind": "bearer", "token": "hidden"}}`:         ".5:81 in",
		`{"url": "http://10.20.0.5/sync", "headers": {"X-Key": "hidden"}}`:                                "in clear",
		`{"url": "http://10.20.0.5/sync", "auth": {"kind": "none"}}`:                                      "",
		`{"url": "http://10.20.0.5/sync"}`:                                                                "",
		`{"url": "https://10.20.0.5/sync", "auth": {"kind": "basic", "user": "u", "password": "hidden"}}`: "",
	} {
		warnings, err := endpoint.Outlet.Reach(t.Context(), json.RawMessage(settings), private, time.Now())
		said := strings.Join(warnings, "; ")
		if err != nil || !strings.Contains(said, says) || (says == "") != (said == "") || strings.Contains(said,
			"hidden") {
			t.Errorf("Reach(%s) warns %q, %v; want %q", settings, said, err, says)
		}
	}
}

// TestOutletAuthority: a customer's own authority is trusted where it is given, and nowhere else.
func TestOutletAuthority(t *testing.T) {
	own := calltest.Must(transporttest.NewAuthority())(t)
	server := own.Serve(t, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}), false)
	ca, _ := json.Marshal(own.Certificate)
	for settings, says := range map[string]string{
		fmt.Sprintf(`{"url": %q, "ca": %s}`, server.URL, ca): "",
		fmt.Sprintf(`{"url": %q}`, server.URL):               "authority that is not known here",
	} {
		answer, err := post(t, json.RawMessage(settings), transport.Outgoing{Body: []byte("{}")})
		if says == "" && (err != nil || !answer.Accepted()) ||
			says != "" && (err == nil || !strings.Contains(err.Error(), says)) {
			t.Errorf("Send with %.60s = %d, %v; want %q", settings, answer.Status, err, says)
		}
	}
}

// TestGuard calls addresses inside the operator's network by every name they
// have; none is reached.
func TestGuard(t *testing.T) {
	reached := false
	canary := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true }))
	defer canary.Close()
	_, port, _ := strings.Cut(strings.TrimPrefix(canary.URL, "http://"), ":")
	for _, host := range []string{
		"127.0.0.1", "localhost", "127.1", "0.0.0.0", "[::1]", "[::ffff:127.0.0.1]", "[::]", "10.0.0.1", "192.168.1.1",
		"172.16.0.1", "169.254.169.254", "100.64.0.1", "[fe80::1]", "[fc00::1]", "[64:ff9b::7f00:1]", "2130706433",
	} {
		s, err := endpoint.Outlet.Send(settingsOf(t, "http://"+host+":"+port+"/", gangway.Credentials{}),
			transport.Options{})
		if err == nil {
			_, err = s.Send(t.Context(), transport.Outgoing{})
		}
		if err == nil {
			t.Errorf("%s was called", host)
		}
	}
	if reached {
		t.Error("the canary was reached")
	}
}

// TestCheck tries, before anything is sent, what a push would refuse.
func TestCheck(t *testing.T) {
	open, own := transport.Options{}, transport.Options{Allow: loopback}
	tests := []struct {
		o             transport.Options
		address, says string // says: empty when it is taken
	}{
		{open, "https://crew.invalid/api/sync_flights", ""},
		{open, "https://93.184.216.34/api", ""},
		{open, "https://93.184.216.34:8443/api", ""},
		{open, "", "must be a URL"},
		{open, "crew.example.com", "must be a URL"},
		{open, "https://", "must be a URL"},
		{open, "https://:443/", "must be a URL"},
		{open, "ftp://crew.invalid/", "must begin with https://"},
		{open, "file:///etc/passwd", "must be a URL"},
		{open, "https://me:secret@crew.invalid/", "user name or password"},
		{open, "https://crew.invalid/#a", "fragment"},
		{open, "https://crew.invalid/#", "fragment"},
		{open, "https://crew.invalid:99999/", "port"},
		{open, "https://93.184.216.34:25/", "not allowed"},
		{open, "https://crew.invalid:22/", "not allowed"},
		{open, "http://93.184.216.34/api", "plain http://"},
		{open, "http://crew.invalid/api", "plain http://"},
		{open, "http://169.254.169.254/x", "not allowed"},
		{open, "https://169.254.169.254/x", "not allowed"},
		{open, "https://127.0.0.1/", "not allowed"},
		{open, "https://localhost/", "not allowed"},
		{open, "https://[::1]/", "not allowed"},
		{open, "https://2130706433/", "usually written"},
		{open, "https://0x7f000001/", "usually written"},
		{open, "https://0177.0.0.1/", "usually written"},
		{open, "https://127.1/", "usually written"},
		{open, "https://127.0.0.0x1./", "usually written"},
		{open, "https://①②⑦.0.0.1/", "usually written"},
		{open, "https://127。0。0。1/", "usually written"},
		{open, "https://localhost./", "not allowed"},
		{open, "https://LocalHost.LocalDomain/", "not allowed"},
		{open, "https://ip6-localhost/", "not allowed"},
		{open, "https://a.localhost/", "not allowed"},
		{open, "https://ｌｏｃａｌｈｏｓｔ/", "not allowed"},
		{open, "https://crew.invalid/" + strings.Repeat("a", 100_000), "2048"},
		{open, "https://3com.invalid/", ""},
		{open, "https://[::ffff:10.0.0.1]/", "not allowed"},
		{open, "https://192.168.1.1/", "not allowed"},
		{own, "http://127.0.0.1:22/", ""},
		{own, "http://localhost:8080/", ""},
		{own, "https://10.0.0.1/", "not allowed"},
		{own, "http://93.184.216.34/", "plain http://"},
	}
	for _, tt := range tests {
		settings := settingsOf(t, tt.address, gangway.Credentials{})
		warnings, err := endpoint.Outlet.Reach(t.Context(), settings, tt.o, time.Now())
		if unknown := tt.says == "" && strings.Contains(tt.address, ".invalid"); unknown != strings.Contains(
			strings.Join(warnings, " "), ".invalid ") {
			t.Errorf("Reach(%q) warns %q; want a warning only for an unknown name", tt.address, warnings)
		}
		if tt.says == "" && err != nil || tt.says != "" && (err == nil || !strings.Contains(err.Error(), tt.says)) {
			t.Errorf("Reach(%q) = %v; want %q", tt.address, err, tt.says)
		}
		if tt.says == "" {
			continue
		}
		s, err := endpoint.Outlet.Send(settings, tt.o)
		if err == nil {
			_, err = s.Send(t.Context(), transport.Outgoing{})
		}
		if err == nil {
			t.Errorf("%q is refused by Reach and accepted by Send", tt.address)
		}
	}
}
