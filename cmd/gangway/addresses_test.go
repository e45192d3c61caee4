package main

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store/storetest"
	"gangway/internal/web"
	"gangway/internal/web/app"
	"gangway/internal/web/reporting"
)

func TestAddresses(t *testing.T) {
	tests := []struct {
		name                         string
		listen, base, app, reporting string
		want                         string
	}{
		{"by default all are on the listener's host", "127.0.0.1:8080", "", "", "",
			"http://127.0.0.1:8080/api http://127.0.0.1:8080 http://127.0.0.1:8080/reporting"},
		{"a listener on every address is called localhost", ":8080", "", "", "",
			"http://localhost:8080/api http://localhost:8080 http://localhost:8080/reporting"},
		{"so is one on 0.0.0.0", "0.0.0.0:80", "", "", "",
			"http://localhost:80/api http://localhost:80 http://localhost:80/reporting"},
		{"each can have a host of its own", ":8080", "https://api.crew.example", "https://crew.example/",
			"https://report.crew.example/v1/",
			"https://api.crew.example https://crew.example https://report.crew.example/v1"},
		{"the others are below that of people", "unix:/run/gangway.sock", "", "https://crew.example/go/", "",
			"https://crew.example/go/api https://crew.example/go https://crew.example/go/reporting"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := sure(addressesAt(tt.listen, tt.base, tt.app, tt.reporting))(t)
			if got := fmt.Sprint(a.base, " ", a.app, " ", a.reporting); got != tt.want || a.appGiven != tt.app {
				t.Fatalf("addressesAt = %s; want %s", got, tt.want)
			}
		})
	}
	for _, bad := range []struct{ listen, base string }{
		{"8080", ""},
		{"localhost", ""},
		{":8080", "api.crew.example"},
		{":8080", "ftp://api.crew.example"},
		{":8080", "https://"},
		{":8080", "https://api.crew.example/?key=1"},
		{":8080", "https://me@api.crew.example"},
		{"unix:/run/gangway.sock", "https://api.crew.example"},
	} {
		t.Run("not an address: "+bad.listen+" "+bad.base, func(t *testing.T) {
			if _, err := addressesAt(bad.listen, bad.base, "", ""); gangway.KindOf(err) != gangway.Invalid {
				t.Fatalf("addressesAt(%q, %q) = %v; want Invalid", bad.listen, bad.base, err)
			}
		})
	}
}

func TestRoute(t *testing.T) {
	says := func(name string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprintf(w, "%s %s", name, r.URL.RequestURI())
		})
	}
	routes := func(base, app, reporting string) http.Handler {
		a := sure(addressesAt("127.0.0.1:8080", base, app, reporting))(t)
		return routeByHost([]surface{{at: a.base, handler: says("api")}, {at: a.app, handler: says("app")},
			{at: a.reporting, handler: says("reporting")}}, web.Problem)
	}
	together := routes("", "", "")
	apart := routes("https://api.crew.example", "https://crew.example", "https://crew.example/report")
	tests := []struct {
		name   string
		routes http.Handler
		url    string
		want   string
	}{
		{"uploads", together, "http://127.0.0.1:8080/api/passenger?x=1", "api /passenger?x=1"},
		{"the first page", together, "http://127.0.0.1:8080/", "app /"},
		{"the form", together, "http://127.0.0.1:8080/integrations/search", "app /integrations/search"},
		{"the report", together, "http://127.0.0.1:8080/reporting/v2/odata/FlightBookingDetailed?$top=1",
			"reporting /v2/odata/FlightBookingDetailed?$top=1"},
		{"an address without its slash", together, "http://127.0.0.1:8080/api", "api /"},
		{"a path that only begins like a surface", together, "http://127.0.0.1:8080/apiary", "app /apiary"},
		{"a host that belongs to no surface", together, "http://10.0.0.7/api/bookings", "api /bookings"},
		{"an encoded path stays encoded", together, "http://127.0.0.1:8080/bookings/a%2Fb", "app /bookings/a%2Fb"},
		{"by host", apart, "https://api.crew.example/passenger", "api /passenger"},
		{"by host, however it is written", apart, "https://API.crew.example:443/passenger", "api /passenger"},
		{"by host and path", apart, "https://crew.example/report/v2", "reporting /v2"},
		{"a path that belongs to another host", apart, "https://api.crew.example/report/v2", "api /report/v2"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := httptest.NewRecorder()
			tt.routes.ServeHTTP(w, httptest.NewRequest("GET", tt.url, nil))
			if got := w.Body.String(); got != tt.want {
				t.Fatalf("GET %s = %q; want %q", tt.url, got, tt.want)
			}
		})
	}
	t.Run("nothing is there", func(t *testing.T) {
		w := httptest.NewRecorder()
		routes("https://api.crew.example/v1", "https://crew.example", "").ServeHTTP(w, httptest.NewRequest("GET",
			"https://api.crew.example/", nil))
		if w.Code != http.StatusNotFound {
			t.Fatalf("status %d; want 404", w.Code)
		}
	})
	t.Run("a request for a page is answered with a page", func(t *testing.T) {
		pages := sure(app.New(app.Config{DB: storetest.New(t), Now: time.Now, Log: slog.New(slog.DiscardHandler)}))(t)
		refuse := refusing(nil, pages)
		for accept, want := range map[string]string{"text/html,application/xhtml+xml,*/*;q=0.8": "text/html; " +
			"charset=utf-8", "*/*": "application/problem+json"} {
			w, r := httptest.NewRecorder(), httptest.NewRequest("GET", "https://crew.example/", nil)
			r.Header.Set("Accept", accept)
			routeByHost(nil, refuse).ServeHTTP(w, r)
			if got := w.Header().Get("Content-Type"); w.Code != http.StatusNotFound || got != want ||
				!strings.Contains(w.Body.String(), "here is nothing at this address") {
				t.Errorf("Accept %s: %d, %s; want 404 and %s\n%s", accept, w.Code, got, want, w.Body)
			}
		}
	})
	t.Run("a request for the report that there is no room for is answered as OData has errors", func(t *testing.T) {
		at := sure(url.Parse("https://crew.example/report"))(t)
		full := refusing([]surface{{at: at, handler: says("report"), refuse: reporting.Refuse}}, nil)
		w, r := httptest.NewRecorder(), httptest.NewRequest("GET", "https://crew.example/report/v2/odata/", nil)
		r.Header.Set("Accept", "text/html")
		full(w, r, web.Overloaded(time.Second, "too many requests are in progress"))
		const want = `{"error":{"code":"Unavailable","message":"too many requests are in progress"}}`
		//lint:ignore SA1008 OData spells it so
		version := w.Header()["OData-Version"]
		if got := w.Body.String(); w.Code != 503 || got != want || w.Header().Get("Retry-After") != "1" ||
			len(version) != 1 {
			t.Errorf("%d %v\n%s\nwant 503 with\n%s", w.Code, w.Header(), got, want)
		}
	})
}
