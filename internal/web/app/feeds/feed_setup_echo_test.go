package feeds_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/web/app/apptest"
)

// TestTryingShowsNoSecret: a system that repeats all it was sent has nothing of it shown, neither in what came nor in
// the records made of it, when it is fetched and when it is tried again.
func TestTryingShowsNoSecret(t *testing.T) {
	const at, password, header = "/settings/feeds/new", `pw"sec ret/77`, "hdsecret77"
	system := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, plain, _ := r.BasicAuth()
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode([]map[string]string{{"id": "1", "first_name": r.Header.Get("X-Tok"),
			"last_name": plain, "basic": r.Header.Get("Authorization"), "percent": url.QueryEscape(plain),
			"base64": base64.StdEncoding.EncodeToString([]byte(plain)), "key": r.URL.Query().Get("key")}})
	}))
	defer system.Close()
	s := apptest.NewSite(t)
	admin := s.SignedIn(t, gangway.Admin)
	form := admin.Get(at).Sent(at)
	for name, value := range map[string]string{"transport.url": system.URL + "/crew?key=qusecret77",
		"transport.auth": "basic", "transport.auth.user": "gangway", "transport.auth.password": password,
		"transport.headers.name": "X-Tok", "transport.headers.value": header, "do": "fetch"} {
		form.Set(name, value)
	}
	shown := func(a apptest.Answer) {
		t.Helper()
		a.Has("1 record")
		for _, secret := range []string{"secret77", "sec ret", "sec+ret", header,
			base64.StdEncoding.EncodeToString([]byte(password)),
			base64.StdEncoding.EncodeToString(fmt.Appendf(nil, "gangway:%s", password))} {
			a.Lacks(secret)
		}
	}
	a := admin.Post(at, form)
	shown(a)
	form = a.Sent(at)
	form.Set("do", "try")
	shown(admin.Post(at, form))
	form.Set("mapping", ".[] |")
	a = admin.Post(at, form)
	for _, secret := range []string{"secret77", "sec ret"} {
		a.Lacks(secret)
	}
}
