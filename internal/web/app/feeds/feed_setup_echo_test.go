package feeds_test

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"gangway/internal/web/app/apptest"
)

// TestTryingShowsNoSecret: a system that repeats all it was sent has nothing of it shown, neither in what came nor in
// the records made of it, when it is fetched and when it is tried again.
func TestTryingShowsNoSecret(t *testing.T) {
	const password, header = `pw"sec ret/77`, "hdsecret77"
	system := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, plain, _ := r.BasicAuth()
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode([]map[string]string{{"id": "1", "first_name": r.Header.Get("X-Tok"),
			"last_name": plain, "basic": r.Header.Get("Authorization"), "percent": url.QueryEscape(plain),
			"base64": base64.StdEncoding.EncodeToString([]byte(plain)), "key": r.URL.Query().Get("key")}})
	}))
	defer system.Close()
	p := newSetup(t)
	shown := func(a apptest.Answer) apptest.Answer {
		return a.Has("1 record").Lacks("secret77", "sec ret", "sec+ret", header,
			base64.StdEncoding.EncodeToString([]byte(password)),
			base64.StdEncoding.EncodeToString([]byte("gangway:"+password)))
	}
	p.follow(shown(p.send("transport.url", system.URL+"/crew?key=qusecret77", "transport.auth", "basic",
		"transport.auth.user", "gangway", "transport.auth.password", password, "transport.headers.name", "X-Tok",
		"transport.headers.value", header, "do", "fetch")))
	shown(p.send("do", "try"))
	p.send("mapping", ".[] |").Lacks("secret77", "sec ret")
}
