package main

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store/storetest"
)

// TestEachKeyOpensItsOwnDoor shows everything that lets somebody in somewhere at every door: the interface for
// programs, the report and the application. An API key, a report login and a person's password each open one.
func TestEachKeyOpensItsOwnDoor(t *testing.T) {
	onEither(t, func(t *testing.T, database string) {
		db := openStore(t, database)
		at, _ := serverOf(t, serverParts{db: db, now: time.Now})
		made := sure(createCustomer(t.Context(), storetest.Operator, db, "Halcyon Tankers", time.Now()))(t)
		hire(t, db, made.Customer, ines, gangway.Admin)
		p := made.Production
		shown := map[string]func(*http.Request){
			"an API key":        func(r *http.Request) { r.Header.Set("X-Api-Key", p.APIKey) },
			"a report login":    func(r *http.Request) { r.SetBasicAuth(p.ReportUser, p.ReportPassword) },
			"a person":          func(r *http.Request) { r.SetBasicAuth(ines, tideTables) },
			"a key as Basic":    func(r *http.Request) { r.SetBasicAuth(p.ReportUser, p.APIKey) },
			"a key as a name":   func(r *http.Request) { r.SetBasicAuth(p.APIKey, "") },
			"a key as a token":  func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+p.APIKey) },
			"a password as key": func(r *http.Request) { r.Header.Set("X-Api-Key", p.ReportPassword) },
			"the development's with the password of production": func(r *http.Request) {
				r.SetBasicAuth(made.Development.ReportUser, p.ReportPassword)
			},
		}
		opens := map[string]string{"an API key": at.base.JoinPath("bookings").String(),
			"a report login": at.reporting.JoinPath("v2/odata/FlightBookingDetailed").String()}
		for who, show := range shown {
			for _, door := range opens {
				req := sure(http.NewRequestWithContext(t.Context(), http.MethodGet, door, nil))(t)
				show(req)
				res := sure(http.DefaultClient.Do(req))(t)
				res.Body.Close()
				if want := map[bool]int{true: 200, false: 401}[opens[who] == door]; res.StatusCode != want {
					t.Errorf("%s at %s: %s; want %d", who, door, res.Status, want)
				}
			}
		}
		for name, password := range map[string]string{p.ReportUser: p.ReportPassword, ines: p.ReportPassword,
			"": p.APIKey} {
			res, err := http.PostForm(at.app.JoinPath("sign-in").String(), url.Values{"email": {name},
				"password": {password}})
			must(t, err)
			res.Body.Close()
			if res.StatusCode < 400 {
				t.Errorf("%q signs in with what opens another door: %s", name, res.Status)
			}
		}
	})
}
