package reporting_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/report"
	"gangway/internal/store"
	"gangway/internal/web/reporting"
)

// TestTheInterface asks as the interface shows it.
func TestTheInterface(t *testing.T) {
	each(t, 3, reporting.Limits{}, func(t *testing.T, s *service) {
		a := s.get(t, "FlightBookingDetailed")
		p := a.page(t)
		if p.Context != s.root()+"$metadata#FlightBookingDetailed" || len(p.Value) != 3 || len(p.Value[0]) != 40 ||
			p.Next != "" || p.Count != nil {
			t.Errorf("it answers %s; want three rows of 40 columns", a.body)
		}
		if got := a.header.Values("OData-Version"); len(got) != 1 || got[0] != "4.0" {
			t.Errorf("OData-Version %q; want 4.0, once", got)
		}
		if got := a.header.Get("Content-Type"); got != "application/json;odata.metadata=minimal" {
			t.Errorf("Content-Type %s", got)
		}
		const want = `,"value":[{"BookingId":"B002","Locator":"B002AA","State":"confirmed","Co2EmissionsKg":null,`
		if !strings.Contains(a.body, want) || !strings.Contains(a.body, `"CreatedAt":"2026-01-01T02:00:00Z"`) ||
			!strings.Contains(a.body, `"PriceTotal":100.5,"PriceCurrency":"EUR"`) ||
			!strings.Contains(a.body, `"TenantId":"`+s.account.Customer.ID+`"`) {
			t.Errorf("the rows are %s", a.body)
		}
		p = s.get(t, "FlightBookingDetailed?$filter=VesselName eq 'Aurora'&$select=BookingId,State&$orderby=CreatedAt"+
			"&$top=1&$skip=0&$count=true").page(t)
		if p.Count == nil || *p.Count != 1 || len(p.Value) != 1 || len(p.Value[0]) != 2 ||
			p.Context != s.root()+"$metadata#FlightBookingDetailed(BookingId,State)" {
			t.Errorf("the six parameters together: %+v", p)
		}
	})
}

// TestResources asks for each kind of resource.
func TestResources(t *testing.T) {
	each(t, 4, reporting.Limits{}, func(t *testing.T, s *service) {
		meta := s.root() + "$metadata"
		for _, c := range []struct{ resource, kind, want string }{
			{"", "json", `{"@odata.context":"` + meta + `","value":[` + everySet() + `]}`},
			{"FlightBookingDetailed/$count", "text", "4"},
			{"FlightBookingDetailed/$count?$filter=VesselName eq 'Aurora'", "text", "2"},
			{"FlightBookingDetailed/$count?$search=boreas", "text", "1"},
			{"FlightBookingDetailed('B001')?$select=BookingId,PriceTotal", "json", `{"@odata.context":"` + meta +
				`#FlightBookingDetailed(BookingId,PriceTotal)/$entity","BookingId":"B001","PriceTotal":100.25}`},
			{"FlightBookingDetailed(BookingId='B001')/VesselName", "json", `{"@odata.context":"` + meta +
				`#FlightBookingDetailed('B001')/VesselName","value":"Boreas"}`},
			{"FlightBookingDetailed(@k)/PriceTotal?@k='B001'", "json", `{"@odata.context":"` + meta +
				`#FlightBookingDetailed('B001')/PriceTotal","value":100.25}`},
			{"FlightBookingDetailed('B001')/PriceTotal/$value", "text", "100.25"},
			{"FlightBookingDetailed('B001')/CreatedAt/$value", "text", "2026-01-01T01:00:00Z"},
			{"FlightBookingDetailed('B001')/PassengerLastName/$value", "text", "O'BRIEN"},
			{"FlightBookingDetailed('B001')/FrequentFlyerNumberUsed/$value", "text", "false"},
			{"FlightBookingDetailed('B001')/CancelledAt/$value", "null", ""},
			{"FlightBookingDetailed('B001')/CancelledAt", "null", ""},
			{"FlightBookingDetailed?filter=BookingId eq 'B000'&SELECT=BookingId&sap-client=100", "json",
				`{"@odata.context":"` + meta + `#FlightBookingDetailed(BookingId)","value":[{"BookingId":"B000"}]}`},
			{"FlightBookingDetailed?$top=0&$count=true&$select=State", "json",
				`{"@odata.context":"` + meta + `#FlightBookingDetailed(State)","@odata.count":4,"value":[]}`},
			{"FlightBookingDetailed?$apply=groupby((PriceCurrency),aggregate(PriceTotal with sum as Sum,$count as N))",
				"json", `{"@odata.context":"` + meta + `#FlightBookingDetailed(PriceCurrency,Sum,N)","value":[` +
					`{"PriceCurrency":"EUR","Sum@odata.type":"#Decimal","Sum":401.5,"N@odata.type":"#Int64","N":4}]}`},
			{"FlightBookingDetailed?$apply=filter(State eq 'issued')&$top=1", "json", `{"@odata.context":"` + meta +
				`#FlightBookingDetailed","value":[]}`},
			{"FlightBookingDetailed?$compute=PriceTotal mul 2 as Twice&$select=Twice&$filter=Twice gt 201", "json",
				`{"@odata.context":"` + meta + `#FlightBookingDetailed(Twice)","value":[` +
					`{"Twice@odata.type":"#Decimal","Twice":201.5}]}`},
		} {
			a := s.get(t, c.resource)
			kind := map[string]string{"json": "application/json;odata.metadata=minimal", "null": "",
				"text": "text/plain;charset=utf-8"}[c.kind]
			status := map[bool]int{true: 204, false: 200}[c.kind == "null"]
			if a.status != status || a.body != c.want || a.header.Get("Content-Type") != kind {
				t.Errorf("%s: %d, %s\n%s\nwant\n%s", c.resource, a.status, a.header.Get("Content-Type"), a.body, c.want)
			}
			if got := a.header.Get("Cache-Control"); got != "no-store" {
				t.Errorf("%s: Cache-Control %q", c.resource, got)
			}
			if head := s.ask(t, http.MethodHead, s.root()+c.resource, ""); head.status != status || head.body != "" ||
				head.header.Get("Content-Type") != kind {
				t.Errorf("HEAD %s: %d, %q", c.resource, head.status, head.body)
			}
		}
		a := s.ask(t, http.MethodGet, strings.TrimSuffix(s.root(), "/"), "")
		if !strings.Contains(a.body, "EntitySet") {
			t.Errorf("the root without its slash: %d, %s", a.status, a.body)
		}
	})
}

// TestRefusals holds how wrong requests are answered.
func TestRefusals(t *testing.T) {
	each(t, 1, reporting.Limits{}, func(t *testing.T, s *service) {
		for _, c := range []struct {
			method, resource string
			status           int
			code, message    string
		}{
			{"GET", "Nothing", 404, "NotFound", `there is no resource "Nothing"`},
			{"GET", "FlightBookingDetailed('none')", 404, "NotFound", "there is no row with this key"},
			{"GET", "FlightBookingDetailed('none')/State", 404, "NotFound", "there is no row with this key"},
			{"GET", "FlightBookingDetailed('none')/Stat", 404, "NotFound", `there is no resource "Stat" here`},
			{"GET", "FlightBookingDetailed?$filter=Prise gt 5", 400, "BadRequest",
				"$filter, at character 1: there is no property"},
			{"GET", "FlightBookingDetailed?$filter=PriceTotal gt 'x'", 400, "BadRequest", "$filter"},
			{"GET", "FlightBookingDetailed?$filter=matchesPattern(State,'(a+)+$')", 501, "NotImplemented", "$filter"},
			{"GET", "FlightBookingDetailed?$top=-1", 400, "BadRequest", "$top"},
			{"GET", "FlightBookingDetailed?$foo=1", 400, "BadRequest", `there is no query option "$foo"`},
			{"GET", "FlightBookingDetailed?$top=1&$top=2", 400, "BadRequest", "given twice"},
			{"GET", "FlightBookingDetailed?$expand=Flights", 400, "BadRequest", "$expand"},
			{"GET", "FlightBookingDetailed?$skiptoken=x", 400, "BadRequest", "$skiptoken"},
			{"GET", "FlightBookingDetailed?$format=xml", 406, "NotAcceptable", "JSON"},
			{"GET", "FlightBookingDetailed?$filter=" + strings.Repeat("(", 200) + "true" + strings.Repeat(")", 200),
				400, "BadRequest", "deep"},
			{"POST", "FlightBookingDetailed", 405, "MethodNotAllowed", "GET, HEAD"},
			{"DELETE", "FlightBookingDetailed('B000')", 405, "MethodNotAllowed", "GET, HEAD"},
			{"PATCH", "FlightBookingDetailed('B000')", 405, "MethodNotAllowed", "GET, HEAD"},
			{"GET", "FlightBookingDetailed/$query", 405, "MethodNotAllowed", "POST"},
			{"GET", "$entity?$id=x", 501, "NotImplemented", ""},
			{"GET", "$crossjoin(FlightBookingDetailed)", 501, "NotImplemented", "$crossjoin"},
			{"GET", "$all", 501, "NotImplemented", "$all"},
			{"GET", "FlightBookingDetailed?$inlinecount=allpages", 400, "BadRequest", "there is no query option"},
			{"GET", "FlightBookingDetailed?$top=99999999999999999999", 400, "BadRequest", "is more than"},
			{"GET", "FlightBookingDetailed/$count?$deltatoken=x", 501, "NotImplemented", "$deltatoken"},
			{"GET", "$metadata/x", 404, "NotFound", "there is nothing below $metadata"},
			{"GET", "FlightBookingDetailed?$schemaversion=1", 501, "NotImplemented", "$schemaversion"},
			{"GET", "FlightBookingDetailed/$filter(NoShow)", 501, "NotImplemented", "$filter(NoShow)"},
			{"OPTIONS", "FlightBookingDetailed", 405, "MethodNotAllowed", "GET, HEAD"},
			{"PUT", "FlightBookingDetailed('B000')/State", 405, "MethodNotAllowed", "GET, HEAD"},
			{"GET", "$batch", 405, "MethodNotAllowed", "POST"},
		} {
			a := s.ask(t, c.method, s.root()+c.resource, "")
			code, message, _ := a.fault(t)
			if a.status != c.status || code != c.code || !strings.Contains(message, c.message) ||
				a.header.Get("Content-Type") != "application/json" || a.header.Get("OData-Version") != "4.0" ||
				c.status == 405 && a.header.Get("Allow") != c.message {
				t.Errorf("%s %.80s: %d %v\n%s\nwant %d, %s, %s", c.method, c.resource, a.status, a.header, a.body,
					c.status, c.code, c.message)
			}
		}
	})
}

// TestWhatIsNotThere holds what docs/odata.md says is not there, or is answered in a way that is not obvious.
func TestWhatIsNotThere(t *testing.T) {
	each(t, 1, reporting.Limits{}, func(t *testing.T, s *service) {
		for resource, status := range map[string]int{
			"$entity?$id=x": 501, "$all": 501, "$crossjoin(Segments)": 501, "Segments/$filter(Number gt 1)": 501,
			"Segments/$each": 501, "Segments/$ref": 501, "FlightBookingDetailed('B000')/$ref": 501,
			"FlightBookingDetailed('B000')/Segments/$ref":                              200,
			"FlightBookingDetailed?$apply=concat(aggregate($count as N),filter(true))": 501,
			"FlightBookingDetailed?$apply=topcount(1,PriceTotal)":                      501,
			"FlightBookingDetailed?$apply=orderby(PriceTotal)":                         501,
			"FlightBookingDetailed?$filter=matchesPattern(State,'a')":                  501,
			"FlightBookingDetailed?$filter=hassubset(State,State)":                     501,
			"FlightBookingDetailed?$levels=1":                                          501,
			"FlightBookingDetailed?$index=1":                                           501,
			"FlightBookingDetailed?$id=1":                                              501,
			"FlightBookingDetailed/Gangway.Report.FlightBookingDetailed":               404,
			"Segments/$count?$deltatoken=x":                                            501,
		} {
			if a := s.get(t, resource); a.status != status {
				t.Errorf("%s: %d, %s; want %d", resource, a.status, a.body, status)
			}
		}
		for resource, want := range map[string]string{
			"FlightBookingDetailed?$compute=PriceTotal div 0 as X&$select=X":           `"X":null`,
			"Segments?$select=Number&$expand=Booking($filter=false;$select=BookingId)": `"Booking":null`,
		} {
			if a := s.get(t, resource); a.status != 200 || !strings.Contains(a.body, want) {
				t.Errorf("%s: %d, %s; want %s", resource, a.status, a.body, want)
			}
		}
	})
}

// TestTheOnlyVersion holds that whatever version of the model there is can be asked for.
func TestTheOnlyVersion(t *testing.T) {
	each(t, 2, reporting.Limits{}, func(t *testing.T, s *service) {
		for _, resource := range []string{"FlightBookingDetailed?$top=1", "$metadata?x",
			"FlightBookingDetailed/$count?x"} {
			want, got := s.get(t, resource), s.get(t, resource+"&$schemaversion=*")
			if got.status != 200 || got.body != want.body {
				t.Errorf("%s: %d, %s", resource, got.status, got.body)
			}
		}
		if _, _, target := s.get(t, "FlightBookingDetailed?$foo=1").fault(t); target != "$foo" {
			t.Errorf("an option that does not exist is not said to be %q", target)
		}
	})
}

// TestIgnored holds that what a client would like and does not get changes nothing, and is not said to be so:
// preferences that are not honoured, headers of others, and options of programs.
func TestIgnored(t *testing.T) {
	each(t, 2, reporting.Limits{}, func(t *testing.T, s *service) {
		const resource = "FlightBookingDetailed?$select=BookingId"
		want := s.get(t, resource)
		for _, header := range [][]string{
			{"Prefer", "respond-async, wait=10"}, {"Prefer", "odata.allow-entityreferences"},
			{"Prefer", `odata.include-annotations="*"`}, {"Prefer", "return=minimal"},
			{"Prefer", "odata.maxpagesize=none"}, {"Prefer", `odata.callback;url="https://crew.example"`},
			{"X-CSRF-Token", "Fetch"}, {"Accept-Language", "ja"}, {"Accept-Charset", "iso-8859-1"},
			{"Origin", "https://bi.example"}, {"DataServiceVersion", "2.0"},
		} {
			a := s.get(t, resource, header...)
			if a.status != 200 || a.body != want.body || a.header.Get("Preference-Applied") != "" ||
				a.header.Get("Access-Control-Allow-Origin") != "" {
				t.Errorf("%s: %d, %v\n%s", header, a.status, a.header, a.body)
			}
		}
		for _, option := range []string{"sap-client=100", "schemaversion=1", "foo=%24x", "_=17"} {
			if a := s.get(t, resource+"&"+option); a.status != 200 || a.body != want.body {
				t.Errorf("%s: %d, %s", option, a.status, a.body)
			}
		}
	})
}

// TestWhoMayRead holds that nothing is read without a login, or with another account's.
func TestWhoMayRead(t *testing.T) {
	each(t, 2, reporting.Limits{}, func(t *testing.T, s *service) {
		for _, resource := range []string{"", "$metadata", "FlightBookingDetailed", "FlightBookingDetailed('B000')",
			"FlightBookingDetailed/$count", "Nothing"} {
			for _, login := range []string{"", "Basic !!", "Basic eDp5"} {
				header := []string{"Authorization", ""}
				if login != "" {
					header = append(header, "Authorization", login)
				}
				a := s.get(t, resource, header...)
				if a.status == 429 {
					continue
				}
				code, _, _ := a.fault(t)
				if a.status != 401 || code != "Unauthorized" ||
					a.header.Get("WWW-Authenticate") != `Basic realm="Gangway report", charset="UTF-8"` {
					t.Errorf("%s with %q: %d, %q, %s", resource, login, a.status,
						a.header.Get("WWW-Authenticate"), a.body)
				}
			}
		}
		list, err := s.db.Audit(t.Context(), store.AuditQuery{What: gangway.ReportLoginRefused}, 100)
		if err != nil || len(list) == 0 || strings.Contains(fmt.Sprint(list), s.password) {
			t.Errorf("the audit log has %v, %v; want the logins that were refused", list, err)
		}
	})
}

// everySet is how a service document lists the sets.
func everySet() string {
	var list []string
	for _, set := range report.Sets {
		list = append(list, fmt.Sprintf(`{"name":%[1]q,"kind":"EntitySet","url":%[1]q}`, set.Name))
	}
	return strings.Join(list, ",")
}
