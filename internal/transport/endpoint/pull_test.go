package endpoint_test

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"gangway/internal/calltest"
	"gangway/internal/gangway"
	"gangway/internal/transport"
	"gangway/internal/transport/endpoint"
	"gangway/internal/transport/transporttest"
)

func TestPuller(t *testing.T) {
	transporttest.Puller(t, endpoint.Kind, func(t *testing.T) transporttest.Source {
		var body atomic.Value
		var hangs atomic.Bool
		gone := make(chan struct{})
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if user, password, _ := r.BasicAuth(); user != "u" || password != "tide-tables" ||
				r.URL.Query().Get("key") != "lighthouse" || r.Header.Get("X-Key") != "halyard" {
				w.WriteHeader(http.StatusUnauthorized)
				return
			}
			if hangs.Load() {
				<-gone
			}
			if text, ok := body.Load().(string); ok {
				w.Header().Set("Content-Type", "application/json")
				io.WriteString(w, text)
			}
		}))
		t.Cleanup(server.Close)
		t.Cleanup(func() { close(gone) })
		return transporttest.Source{
			Settings: json.RawMessage(fmt.Sprintf(`{"url": "%s/crew?key=lighthouse", "headers": {"X-Key": "halyard"}, `+
				`"auth": {"kind": "basic", "user": "u", "password": "tide-tables"}}`, server.URL)),
			Secrets: []string{"tide-tables", "lighthouse", "halyard"},
			Leave:   func(_ *testing.T, text string) { body.Store(text) },
			Hang:    func(*testing.T) { hangs.Store(true) },
		}
	})
}

// opened opens settings in which %s is the server's address.
func opened(t *testing.T, settings string, server *httptest.Server) transport.Puller {
	t.Helper()
	p, err := endpoint.Kind.Open(json.RawMessage(strings.ReplaceAll(settings, "%s", server.URL)),
		transport.Options{Allow: loopback})
	if err != nil {
		t.Fatalf("Open(%s) = %v", settings, err)
	}
	return p
}

func serve(t *testing.T, h http.HandlerFunc) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return server
}

// TestRequest checks what is asked for: documented parameters, or places wherever
// they stand, escaped for there.
func TestRequest(t *testing.T) {
	hostile := gangway.Ask{Surname: `O'Ñ "&</x>` + "\r\nX-Evil: 1"}
	tests := []struct {
		name, settings string
		ask            gangway.Ask
		want           string // method, request URI, a header, body
	}{
		{"all there is", `{"url": "%s/crew"}`, gangway.Ask{}, `GET /crew  `},
		{"by surname", `{"url": "%s/crew"}`, gangway.Ask{Surname: "De la Cruz"}, `GET /crew?surname=De%20la%20Cruz  `},
		{"a period", `{"url": "%s/crew?key=1"}`, gangway.Ask{From: "2026-12-01", To: "2026-12-07"},
			`GET /crew?key=1&from=2026-12-01&to=2026-12-07  `},
		{"a date", `{"url": "%s/crew?"}`, gangway.Ask{Date: "2026-12-01"}, `GET /crew?date=2026-12-01  `},
		{"a date in the path", `{"url": "%s/on/{date}/crew"}`, gangway.Ask{Date: "2026-12-01"},
			`GET /on/2026-12-01/crew  `},
		{"a path is not left", `{"url": "%s/on/{surname}/crew"}`, gangway.Ask{Surname: "../../admin"},
			`GET /on/..%2F..%2Fadmin/crew  `},
		{"nor by dots", `{"url": "%s/on/{surname}/crew"}`, gangway.Ask{Surname: ".."}, `GET /on//crew  `},
		{"a query is not left", `{"url": "%s/crew?name={surname}&x=1"}`, hostile,
			`GET /crew?name=O%27%C3%91%20%22%26%3C%2Fx%3E%0D%0AX-Evil%3A%201&x=1  `},
		{"a header is not left", `{"url": "%s/crew", "headers": {"X-Sent": "{surname};{{date}}"}}`,
			gangway.Ask{Surname: "A\r\nX-Evil: 1"}, `GET /crew AX-Evil: 1;{date} `},
		{"JSON is not left", `{"url": "%s/crew", "body": "{\"n\": \"{surname}\", \"d\": \"{{date}}\"}"}`, hostile,
			`POST /crew  {"n": "O'Ñ \"\u0026\u003c/x\u003e\r\nX-Evil: 1", "d": "{date}"}`},
		{"XML is not left", `{"url": "%s/crew", "body": "<n>{surname}</n>"}`, hostile,
			`POST /crew  <n>O&apos;Ñ &quot;&amp;&lt;/x&gt;X-Evil: 1</n>`},
		{"a form is not left", `{"url": "%s/crew", "body": "a={surname}&b=2"}`, hostile,
			`POST /crew  a=O%27%C3%91+%22%26%3C%2Fx%3E%0D%0AX-Evil%3A+1&b=2`},
		{"the type that is said", `{"url": "%s/crew", "method": "PUT", "body": "{surname}", ` +
			`"headers": {"content-type": "application/soap+xml"}}`, gangway.Ask{Surname: "<"}, `PUT /crew  &lt;`},
		{"what is not asked is empty", `{"url": "%s/crew?a={from}&b={to}"}`, gangway.Ask{}, `GET /crew?a=&b=  `},
		{"other braces stay", `{"url": "%s/crew", "body": "{\"surname\": {surname}, \"a\": {b}, \"c\": \"{ date }\"}"}`,
			gangway.Ask{Surname: "1"}, `POST /crew  {"surname": 1, "a": {b}, "c": "{ date }"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := ""
			server := serve(t, func(_ http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				got = fmt.Sprintf("%s %s %s %s", r.Method, r.RequestURI, r.Header.Get("X-Sent"), body)
				if r.Header.Get("X-Evil") != "" {
					t.Error("a header was smuggled in")
				}
			})
			_, err := transporttest.Pull(t.Context(), opened(t, tt.settings, server), transport.Query{Ask: tt.ask})
			if err != nil || got != tt.want {
				t.Errorf("it asked\n%q, %v; want\n%q", got, err, tt.want)
			}
		})
	}
}

func TestSettings(t *testing.T) {
	tests := []struct{ settings, says string }{
		{`{"url": "ftp://crew.example/"}`, "url: the address must begin with https://"},
		{`{"url": "https://{surname}/"}`, "url: "},
		{`{"url": "https://{surname}.example/"}`, "url: "},
		{`{"url": "https://u:hush@crew.example/"}`, "user name or password"},
		{`{"url": "https://2130706433/"}`, "usually written"},
		{`{"url": "https://localhost/"}`, "--allow-network"},
		{`{"url": "https://crew.example/", "method": "DELETE"}`, "method must be GET"},
		{`{"url": "https://crew.example/", "paging": "all"}`, `paging must be "none"`},
		{`{"url": "https://crew.example/", "method": "GET", "body": "hush"}`, "body is only"},
		{`{"url": "https://crew.example/", "headers": {"Host": "x"}}`, "headers.Host must be left out"},
		{`{"url": "https://crew.example/", "headers": {"X A": "x"}}`, "names of headers"},
		{`{"url": "https://crew.example/", "headers": {"X": "hush\r\nY: 1"}}`, "headers.X must be one line"},
		{`{"url": "https://crew.example/", "ca": "hush"}`, "ca must be PEM"},
		{`{"url": "https://crew.example/", "auth": {"kind": "basic", "user": "u"}}`, "auth.password is missing"},
	}
	for _, tt := range tests {
		_, err := endpoint.Kind.Open(json.RawMessage(tt.settings), transport.Options{})
		if gangway.KindOf(err) != gangway.Invalid || !strings.Contains(err.Error(), tt.says) ||
			strings.Contains(err.Error(), "hush") {
			t.Errorf("Open(%s) = %v; want %q", tt.settings, err, tt.says)
		}
	}
}

func TestUnchanged(t *testing.T) {
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"7"`)
		http.ServeContent(w, r, "crew.json", time.Unix(1796112000, 0), strings.NewReader(`[]`))
	})
	p := opened(t, `{"url": "%s/"}`, server)
	first, err := transporttest.Pull(t.Context(), p, transport.Query{})
	if err != nil || len(first) != 1 || first[0].Now.ETag != `"7"` || first[0].Now.LastModified == "" {
		t.Fatalf("Pull = %+v, %v; want the document with its validators", first, err)
	}
	again, err := transporttest.Pull(t.Context(), p, transport.Query{Have: first[0].Now})
	if err != nil || len(again) != 1 || !again[0].Unchanged || again[0].Body != nil || again[0].Now != first[0].Now {
		t.Fatalf("Pull = %+v, %v; want it unchanged", again, err)
	}
}

func TestPages(t *testing.T) {
	for name, next := range map[string]func(w http.ResponseWriter, link string) string{
		"Link": func(w http.ResponseWriter, link string) string {
			w.Header().Add("Link", `</first,page>; rel="first", <`+link+`>; title="a, b"; rel="last next"`)
			return `[]`
		},
		"OData 4": func(_ http.ResponseWriter, link string) string {
			return `{"value": [{"links": {"next": "/no"}, "a": "` + strings.Repeat("x", 100_000) +
				`\"}{"}], "@odata.nextLink": "` + link + `"}`
		},
		"OData 2": func(_ http.ResponseWriter, link string) string {
			return `{"d":{"results":[{}],"__next":"` + link + `"}}`
		},
		"JSON:API": func(_ http.ResponseWriter, link string) string {
			return ` {"links": {"self": "/a", "next": "` + link + `"}}`
		},
		"JSON:API with an object": func(_ http.ResponseWriter, link string) string {
			return "\ufeff" + `{"links": {"next": {"meta": {}, "href": "` + link + `"}}, "data": []}`
		},
	} {
		t.Run(name, func(t *testing.T) {
			server := serve(t, func(w http.ResponseWriter, r *http.Request) {
				body := `{}`
				switch r.URL.RawQuery {
				case "":
					body = next(w, "?page=2")
				case "page=2":
					body = next(w, "http://"+r.Host+"/crew?page=3")
				}
				io.WriteString(w, body)
			})
			got, err := transporttest.Pull(t.Context(), opened(t, `{"url": "%s/crew"}`, server), transport.Query{})
			if err != nil || len(got) != 3 || got[2].Key != "3" {
				t.Fatalf("Pull = %.200v, %v; want 3 pages", got, err)
			}
			one := opened(t, `{"url": "%s/crew", "paging": "none"}`, server)
			if got, err = transporttest.Pull(t.Context(), one, transport.Query{}); err != nil || len(got) != 1 {
				t.Errorf("Pull = %.200v, %v; want the one page that is everything", got, err)
			}
		})
	}
}

// Pages end: in a circle, after a thousand, and at another host, which never gets the credentials.
func TestPagesEnd(t *testing.T) {
	reached := false
	canary := serve(t, func(http.ResponseWriter, *http.Request) { reached = true })
	for says, link := range map[string]func(n int) string{
		"circle":              func(n int) string { return fmt.Sprint("?", n%3) },
		"more than 1,000":     func(n int) string { return fmt.Sprint("?", n) },
		"another host":        func(int) string { return canary.URL },
		"another host, crew.": func(int) string { return "//crew.example/" },
		"cannot be read":      func(int) string { return "http://u:p@crew.example/" },
	} {
		n := 0
		server := serve(t, func(w http.ResponseWriter, r *http.Request) {
			n++
			w.Header().Set("Link", "<"+link(n)+`>; rel=next`)
			io.WriteString(w, "[]")
		})
		_, err := transporttest.Pull(t.Context(), opened(t, `{"url": "%s/?0"}`, server), transport.Query{})
		if err == nil || !strings.Contains(err.Error(), says) || n > 1000 || reached {
			t.Errorf("Pull = %v after %d pages, another host asked: %v; want %q", err, n, reached, says)
		}
	}
}

func TestStatuses(t *testing.T) {
	status, header := 0, http.Header{}
	server := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		for name, values := range header {
			w.Header()[name] = values
		}
		w.WriteHeader(status)
	})
	p := opened(t, `{"url": "%s/", "auth": {"kind": "bearer", "token": "tide-tables"}}`, server)
	bare, keyed := opened(t, `{"url": "%s/"}`, server), opened(t, `{"url": "%s/?key=tide-tables"}`, server)
	for _, tt := range []struct {
		status int
		header http.Header
		says   string
		after  time.Duration
	}{
		{200, nil, "", 0},
		{204, nil, "", 0},
		{206, nil, "a part of", 0},
		{301, http.Header{"Location": {"https://crew.example/a?token=tide-tables"}},
			"redirects to https://crew.example/a,", 0},
		{302, nil, "redirects to another address", 0},
		{304, nil, "nothing has changed", 0},
		{401, nil, "refused the credentials", 0},
		{403, nil, "does not let", 0},
		{404, nil, "has nothing", 0},
		{405, nil, "another method than GET", 0},
		{418, nil, "refused the request (status 418)", 0},
		{429, http.Header{"Retry-After": {"30"}}, "asked again in 30s", 30 * time.Second},
		{429, http.Header{"Retry-After": {"99999999999999999"}}, "too often (status 429)", 0},
		{429, http.Header{"Retry-After": {"99999999"}}, "asked again in 24h", 24 * time.Hour},
		{500, nil, "failed (status 500)", 0},
		{503, http.Header{"Retry-After": {"0"}}, "not available", time.Second},
	} {
		status, header = tt.status, tt.header
		got, err := transporttest.Pull(t.Context(), p, transport.Query{})
		var later *transport.LaterError
		if errors.As(err, &later); (later != nil) != (tt.after > 0) || later != nil && later.After != tt.after {
			t.Errorf("%d: %v; want to be asked again after %s", tt.status, later, tt.after)
		}
		told := fmt.Sprint(err)
		refused := gangway.KindOf(err) == gangway.Unavailable && strings.Contains(told, tt.says)
		if tt.says == "" && (err != nil || len(got) > 0) || tt.says != "" && !refused ||
			strings.Contains(told, "tide") {
			t.Errorf("%d: Pull = %v, %v; want %q", tt.status, got, err, tt.says)
		}
	}
	status, header = 401, nil
	for says, p := range map[string]transport.Puller{"wants credentials, and none were given": bare,
		"refused the credentials": keyed} {
		if _, err := transporttest.Pull(t.Context(), p, transport.Query{}); !strings.Contains(fmt.Sprint(err), says) {
			t.Errorf("401: Pull = %v; want %q", err, says)
		}
	}
}

func TestPacked(t *testing.T) {
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Accept-Encoding") != "gzip" {
			t.Errorf("it offers %q", r.Header.Get("Accept-Encoding"))
		}
		w.Header().Set("Content-Encoding", "gzip")
		packed := gzip.NewWriter(w)
		fmt.Fprintf(packed, `{"@odata.nextLink": %q}`, r.URL.Query().Get("next"))
		packed.Close()
	})
	got, err := transporttest.Pull(t.Context(), opened(t, `{"url": "%s/?next=/b"}`, server), transport.Query{})
	if err != nil || len(got) != 2 || got[0].Text != `{"@odata.nextLink": "/b"}` {
		t.Errorf("Pull = %v, %v; want both pages unpacked", got, err)
	}
}

// A customer's own authority is trusted where it is given, and nowhere else; each kind of credentials is shown.
func TestOwnAuthority(t *testing.T) {
	own := calltest.Must(transporttest.NewAuthority())(t)
	client := certificate(t, own, time.Now().Add(time.Hour))
	auth := calltest.Must(client.Reveal())(t)
	server := own.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, "[]")
	}), true)
	ca, _ := json.Marshal(own.Certificate)
	for settings, says := range map[string]string{
		`{"url": "%s/", "ca": ` + string(ca) + `, "auth": ` + string(auth) + `}`: "",
		`{"url": "%s/", "auth": ` + string(auth) + `}`:                           "authority that is not known here",
		`{"url": "%s/", "ca": ` + string(ca) + `}`:                               "may want a client certificate",
	} {
		got, err := transporttest.Pull(t.Context(), opened(t, settings, server), transport.Query{})
		if says == "" && (err != nil || len(got) != 1) ||
			says != "" && (err == nil || !strings.Contains(err.Error(), says)) {
			t.Errorf("Pull with %.60s = %v, %v; want %q", settings, got, err, says)
		}
	}
}
