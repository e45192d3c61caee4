package main

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"gangway/internal/store/storetest"
	"gangway/internal/web"
)

// Whatever is answered below base_url names its request, and the server's log tells of a refused one by that name:
// also what suppliers send, and what is asked while the server waits for its database.
func TestAnswersNameTheirRequests(t *testing.T) {
	log := &transcript{}
	lines := slog.New(web.LogRequestIDs(slog.NewTextHandler(log, nil)))
	at, _ := serverOf(t, serverParts{db: storetest.New(t), now: time.Now, log: lines})
	waiting := sure(startingHandler(at, lines))(t)
	starting := httptest.NewServer(web.NameRequests(time.Now, waiting))
	defer starting.Close()
	for _, tt := range []struct {
		method, url string
		status      int
		logged      bool
	}{
		{"GET", at.base.String() + "/bookings", 401, true},
		{"GET", at.base.String() + "/nothing", 404, true},
		{"POST", at.base.String() + "/suppliers/duffel/acc_1", 401, true},
		{"GET", at.base.String() + "/soap?wsdl", 200, false},
		{"GET", starting.URL + at.base.Path + "/bookings", 503, false},
	} {
		req := sure(http.NewRequestWithContext(t.Context(), tt.method, tt.url, strings.NewReader("")))(t)
		req.Header.Set("Request-Id", "mine")
		res := sure(http.DefaultClient.Do(req))(t)
		res.Body.Close()
		id := res.Header.Get("Request-Id")
		if res.StatusCode != tt.status || !strings.HasPrefix(id, "req_") || len(res.Header.Values("Request-Id")) != 1 {
			t.Errorf("%s %s = %d %v; want %d and an identifier of ours", tt.method, tt.url, res.StatusCode, res.Header,
				tt.status)
		}
		if strings.Contains(log.String(), "request="+id) != tt.logged {
			t.Errorf("%s %s: the log tells of %s: %t; want %t\n%s", tt.method, tt.url, id, !tt.logged, tt.logged,
				log.String())
		}
	}
}
