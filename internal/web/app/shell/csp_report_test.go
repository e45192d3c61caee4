package shell_test

import (
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"gangway/internal/store/storetest"
	"gangway/internal/web/app"
	"gangway/internal/web/app/apptest"
)

// lines is a log, a line at a time.
type lines chan string

// Write is part of io.Writer.
func (l lines) Write(p []byte) (int, error) {
	l <- string(p)
	return len(p), nil
}

// reported is an application below a path, whose log is read line by line.
func reported(t *testing.T, appURL string) (*app.App, lines) {
	t.Helper()
	said := make(lines, 1000)
	a, err := app.New(app.Config{DB: storetest.New(t), Now: func() time.Time { return apptest.Today },
		Log: slog.New(slog.NewTextHandler(said, nil)), AppURL: appURL, Secure: strings.HasPrefix(appURL, "https")})
	apptest.Done(t, err)
	return a, said
}

// TestCSPReports holds that the log gets routes and origins in place of addresses, from both formats, and that
// neither a large report nor many fill it.
func TestCSPReports(t *testing.T) {
	a, said := reported(t, "https://crew.example/desk")
	from := 0
	post := func(media, body string) int {
		from++ // a network each time
		r := httptest.NewRequestWithContext(t.Context(), "POST", "/csp-reports", strings.NewReader(body))
		r.Header.Set("Content-Type", media)
		r.RemoteAddr = "192.0.2." + string(rune('0'+from%10)) + ":1"
		w := httptest.NewRecorder()
		a.ServeHTTP(w, r)
		return w.Code
	}
	const old, now = "application/csp-report", "application/reports+json"
	const link = "https://crew.example/desk/i/ABCDEFGHIJKLMNOPQRSTUVWXYZ?who=Santos"
	for _, tt := range []struct {
		media, body string
		status      int
		logged      []string // what the line has
	}{
		{old, `{"csp-report":{"document-uri":"` + link + `","effective-directive":"script-src-elem","blocked-uri":
			"https://evil.example:8443/x?token=1","referrer":"` + link + `"}}`, 204,
			[]string{"page=/i/{secret}", "directive=script-src-elem", "blocked=https://evil.example:8443 "}},
		{now, `[{"type":"deprecation","body":{"id":"x"}},{"type":"csp-violation","url":"` + link + `","body":{
			"documentURL":"` + link + `","effectiveDirective":"style-src-attr","blockedURL":"inline"}}]`, 204,
			[]string{"page=/i/{secret}", "directive=style-src-attr", "blocked=inline", "reports=2"}},
		{old, `{"csp-report":{"document-uri":"https://else.example/secret","effective-directive":"<b>","blocked-uri":
			"data:text/html,Santos"}}`, 204, []string{"page=elsewhere", "directive=other", "blocked=other"}},
		{old, `{"csp-report":{"document-uri":{"a":7}}}`, 400, nil},
		{old, `{"csp-report":"` + strings.Repeat("x", 8<<10) + `"}`, 413, nil},
		{"text/plain", `{}`, 415, nil},
	} {
		if got := post(tt.media, tt.body); got != tt.status {
			t.Errorf("%s: status %d; want %d", tt.body, got, tt.status)
		}
		line := ""
		if tt.logged != nil {
			line = <-said
		}
		for _, want := range tt.logged {
			if !strings.Contains(line, want) {
				t.Errorf("%s is logged as %s; want %q", tt.body, line, want)
			}
		}
		if strings.Contains(line, "ABCDEF") || strings.Contains(line, "Santos") || strings.Contains(line, "token") {
			t.Errorf("the log has what it must not: %s", line)
		}
	}
	for range 500 {
		post(now, `[`+strings.Repeat(`{"type":"csp-violation","body":{}},`, 9)+`{"type":"csp-violation","body":{}}]`)
	}
	if n := len(said); n > 200 || a.CSPReports() < 400 {
		t.Errorf("%d lines of %d reports in a minute; want them counted, and few written", n, a.CSPReports())
	}
}

// TestCSPIsReportedByABrowser holds that a browser sends what the policy made it refuse.
func TestCSPIsReportedByABrowser(t *testing.T) {
	a, said := reported(t, "")
	server := httptest.NewServer(a)
	defer server.Close()
	b := apptest.OpenTab(t)
	b.Do(chromedp.Navigate(server.URL + "/invitations/guessed"))
	b.Read(`(() => { const s = document.createElement("script"); s.textContent = "document.title = 'injected'";
		document.body.append(s); return "" })()`)
	for line := range said {
		if strings.Contains(line, "page=/invitations/{token} directive=script-src-elem blocked=inline") {
			break
		}
	}
}
