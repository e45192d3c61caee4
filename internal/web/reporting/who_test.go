package reporting_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"gangway/internal/report"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
	"gangway/internal/web/access"
	"gangway/internal/web/reporting"
)

// TestNobodyElseReads asks every address of the report with everything that is no login of the account:
// that of another customer, of the other environment, one that was revoked, an API key, and logins that
// are sent in odd ways. Whatever is answered, nothing of the account is in it.
func TestNobodyElseReads(t *testing.T) {
	each(t, 2, reporting.Limits{}, func(t *testing.T, s *service) {
		_, dev, err := s.db.Accounts(t.Context(), s.account.Customer.ID)
		must(t, err)
		devName, devPassword := s.login(t, dev)
		otherName, otherPassword := s.login(t, storetest.Account(t, s.db))
		oldName, oldPassword := s.login(t, s.account)
		if a := s.as(t, oldName, oldPassword, http.MethodGet, ""); a.status != 200 {
			t.Fatalf("a login that is not revoked yet is answered %d", a.status)
		}
		must(t, s.in.RevokeCredential(t.Context(), storetest.Operator, store.ReportLogin, oldName, now))
		s.clock.Add(int64(5 * time.Second))
		plain, hash, shown := access.NewKey(s.account.Environment)
		key := store.Credential{Kind: store.APIKey, ID: "key_1", Shown: shown, CreatedAt: now}
		must(t, s.in.CreateCredential(t.Context(), storetest.Operator, key, hash))
		for who, login := range map[string]struct {
			name, password string
			in             bool // into an account of its own
		}{
			"another customer": {otherName, otherPassword, true}, "the other environment": {devName, devPassword, true},
			"revoked": {oldName, oldPassword, false}, "an API key": {key.ID, plain, false},
			"another's password": {s.name, otherPassword, false},
		} {
			for _, c := range everyAddress() {
				method, resource, _ := strings.Cut(c, " ")
				a := s.as(t, login.name, login.password, method, resource)
				if login.in && a.status == 401 || !login.in && a.status != 401 && a.status != 429 {
					t.Errorf("%s, %s: %d, %s", who, c, a.status, a.body)
				}
				for _, inside := range []string{"B000", "SANTOS", "BRIEN", "Aurora"} {
					if strings.Contains(a.body, inside) && !strings.Contains(resource, inside) {
						t.Errorf("%s, %s: the answer has %q: %s", who, c, inside, a.body)
					}
				}
			}
		}
	})
}

// everyAddress lists requests for each kind of resource, the other account's among them.
func everyAddress() []string {
	list := []string{"GET ", "GET $metadata", "GET Nothing", "POST $batch", "POST FlightBookingDetailed/$query",
		"GET FlightBookingDetailed('B000')", "GET FlightBookingDetailed('B000')/PassengerLastName/$value",
		"GET FlightBookingDetailed?$filter=TenantId ne 'x' or true", "GET FlightBookingDetailed?$search=santos",
		"GET FlightBookingDetailed?$apply=groupby((PassengerLastName))"}
	for _, set := range report.Sets {
		list = append(list, "GET "+set.Name, "GET "+set.Name+"/$count")
	}
	return list
}

// TestOddLogins holds that a login is its name and its password, letter by letter, in one header of its
// kind, and that nothing else that a request carries lets anybody in.
func TestOddLogins(t *testing.T) {
	each(t, 1, reporting.Limits{}, func(t *testing.T, s *service) {
		right := []string{s.name, s.password}
		for i, odd := range [][2]string{
			{strings.ToUpper(s.name), s.password}, {s.name + " ", s.password}, {" " + s.name, s.password},
			{s.name + "\x00", s.password}, {s.name, s.password + "\x00"}, {s.name, s.password + " "},
			{s.name, strings.ToUpper(s.password)}, {s.name, ""}, {"", s.password}, {s.password, s.name},
			{s.name + "\r\nX: y", s.password}, {"%", s.password},
			{strings.Replace(s.name, "report", "rеport", 1), s.password}, // a Cyrillic e
			{"' OR 1=1 --", s.password}, {s.name, "' OR '1'='1"}, {"\xff\xfe", s.password},
			{strings.Repeat("x", 5000), s.password}, {s.name, strings.Repeat("x", 5000)},
		} {
			a := s.as(t, odd[0], odd[1], http.MethodGet, "FlightBookingDetailed")
			if a.status != 401 && a.status != 429 {
				t.Errorf("%.40q with %.40q: %d", odd[0], odd[1], a.status)
			}
			if i%4 == 3 { // the network is not locked out, since the right login is known there
				s.clock.Add(int64(6 * time.Minute))
				if a := s.as(t, right[0], right[1], http.MethodGet, "FlightBookingDetailed"); a.status != 200 {
					t.Fatalf("the right login is answered %d, %s", a.status, a.body)
				}
			}
		}
		for _, header := range [][2]string{
			{"X-Api-Key", s.password}, {"Cookie", "session=" + s.password}, {"X-Forwarded-User", s.name},
			{"X-Remote-User", s.name}, {"Proxy-Authorization", "Basic " + basic(s)},
			{"Authorization", "Bearer " + s.password},
			{"Authorization", "Digest username=" + s.name}, {"Authorization", "Basic\t" + basic(s)},
			{"X-Authorization", "Basic " + basic(s)}, {"Authentication", "Basic " + basic(s)},
		} {
			a := s.get(t, "FlightBookingDetailed", "Authorization", "", header[0], header[1])
			if a.status != 401 && a.status != 429 {
				t.Errorf("%s: %.30s: %d", header[0], header[1], a.status)
			}
			s.clock.Add(int64(6 * time.Minute))
		}
		for _, header := range []string{"X-Http-Method-Override", "X-Original-Url", "X-Rewrite-Url"} {
			a := s.get(t, "FlightBookingDetailed/$count", header, "/reporting/v2/odata/FlightBookingDetailed")
			if a.status != 200 || a.body != "1" {
				t.Errorf("with %s: %d, %s", header, a.status, a.body)
			}
		}
	})
}

// as sends a request with another login.
func (s *service) as(t *testing.T, name, password, method, resource string) answer {
	t.Helper()
	const batch = `{"requests":[{"id":"1","method":"GET","url":"FlightBookingDetailed('B000')"}]}`
	body := map[string]string{"$batch": batch, "FlightBookingDetailed/$query": "$filter=true"}[resource]
	kind := map[bool]string{true: "application/json", false: "text/plain"}[resource == "$batch"]
	r, err := http.NewRequest(method, "http://x", nil)
	must(t, err)
	r.SetBasicAuth(name, password)
	header := []string{"Authorization", "", "Authorization", r.Header.Get("Authorization")}
	if body != "" {
		header = append(header, "Content-Type", kind)
	}
	return s.ask(t, method, s.root()+resource, body, header...)
}

// basic is the login of the service as a header has it.
func basic(s *service) string {
	r := &http.Request{Header: http.Header{}}
	r.SetBasicAuth(s.name, s.password)
	_, text, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	return text
}
