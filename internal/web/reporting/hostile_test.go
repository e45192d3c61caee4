package reporting_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"unicode/utf8"

	"gangway/internal/report/odata/odatatest"
	"gangway/internal/report/query"
	"gangway/internal/store/storetest"
	"gangway/internal/web/reporting"
)

// TestHostileRequests sends what is meant to harm. Each is refused in words that say nothing of the inside, or
// answered with nothing of others'.
func TestHostileRequests(t *testing.T) {
	each(t, 2, reporting.Limits{}, func(t *testing.T, s *service) {
		other := newService(t, s.db, 0, reporting.Limits{})
		other.book(t, 7)
		doubled := ""
		for i := range 22 {
			doubled += fmt.Sprintf("/compute(concat(x%d,x%[1]d) as x%d)", i, i+1)
		}
		deep := strings.Repeat("(", 10_000)
		for _, resource := range []string{
			"FlightBookingDetailed?$filter=State eq 'x'' or 1=1; DROP TABLE report_booking --'",
			"FlightBookingDetailed?$filter=State eq 'x' or true",
			"FlightBookingDetailed?$filter=TenantId ne null or BookingId eq 'B007'",
			"FlightBookingDetailed?$orderby=(select 1)",
			"FlightBookingDetailed?$orderby=pg_sleep(10)",
			"FlightBookingDetailed?$select=account,members,search,changed",
			"FlightBookingDetailed?$compute=1 as account&$filter=account eq 1",
			"FlightBookingDetailed?$compute=State as members&$select=members",
			"FlightBookingDetailed?$filter=" + deep[:4000],
			"FlightBookingDetailed?$filter=" + strings.Repeat("not ", 1500) + "true",
			"FlightBookingDetailed?$filter=" + strings.Repeat("true or ", 900) + "true",
			"FlightBookingDetailed?$filter=contains(State,'%25_%5C')",
			"FlightBookingDetailed?$filter=PriceTotal div 0 eq 1",
			"FlightBookingDetailed?$filter=PriceTotal mul 99999999999999999999999999999999999999999 gt 1",
			"FlightBookingDetailed?$filter=State eq '%00'", "FlightBookingDetailed?$filter=State eq '%FF'",
			"FlightBookingDetailed?$filter=%zz", "FlightBookingDetailed?$top=99999999999999999999",
			"FlightBookingDetailed?$skip=9223372036854775807", "FlightBookingDetailed?$top=9223372036854775807",
			"FlightBookingDetailed?$skiptoken=" + strings.Repeat("A", 8000), "FlightBookingDetailed?$deltatoken=AAAA",
			"FlightBookingDetailed('B007')", "FlightBookingDetailed('B007%00')",
			"FlightBookingDetailed('../../etc/passwd')",
			"FlightBookingDetailed('" + strings.Repeat("x", 8000) + "')", strings.Repeat("a/", 3000),
			"FlightBookingDetailed?$filter=" + strings.Repeat("x", 8000),
			"FlightBookingDetailed?$apply=compute(concat(State,State) as x0)" + doubled +
				"/aggregate(x22 with max as m)",
			"FlightBookingDetailed?$filter=@a&@a=@b&@b=@a", "$metadata?$format=" + strings.Repeat("x", 500),
			"FlightBookingDetailed?$search=" + strings.Repeat("NOT ", 1500) + "x",
			"FlightBookingDetailed?$apply=" + strings.Repeat("filter(true)/", 500) + "filter(true)",
			"FlightBookingDetailed?$expand=" + strings.Repeat("A($expand=", 200),
			"FlightBookingDetailed?$expand=" + strings.Repeat("Segments($expand=Booking($expand=", 5),
			"FlightBookingDetailed?$expand=*($expand=*($expand=*($expand=*)))",
			"FlightBookingDetailed?$expand=*($expand=*)",
			"FlightBookingDetailed?$expand=Segments($levels=max)", "FlightBookingDetailed?$expand=Segments($top=-1)",
			"FlightBookingDetailed?$expand=Segments($filter=BookingId ne $it/BookingId or BookingId eq 'B007')",
			"FlightBookingDetailed?$expand=Segments($filter=Booking/TenantId ne null or true;" +
				"$skip=9223372036854775807)",
			"FlightBookingDetailed?$expand=Segments($compute=1 as account,2 as k1,3 as x1;$orderby=k1,x1)",
			"FlightBookingDetailed?$filter=Segments/any(r:r/BookingId eq 'B007')",
			"FlightBookingDetailed?$filter=Segments/any(x1:Segments/any(x2:x1/BookingId ne x2/BookingId))",
			"FlightBookingDetailed?$filter=" + strings.Repeat("Segments/any(s:", 30) + "true" + strings.Repeat(")", 30),
			"FlightBookingDetailed?$filter=true" + strings.Repeat(" and Segments/any(s:s/Number gt 0)", 50),
			"FlightBookingDetailed?$filter=true" + strings.Repeat(" or Segments/all(s:s/Number gt 0)", 50),
			"FlightBookingDetailed?$filter=true" + strings.Repeat(" and Segments/$count gt 0", 51),
			"FlightBookingDetailed?$orderby=State" + strings.Repeat(",Segments/$count", 50),
			"FlightBookingDetailed('B007')/Segments", "FlightBookingDetailed('B000')/" +
				"Segments(BookingId='B007',Number=1)",
			"Segments(BookingId='B007',Number=1)/Booking", "Actions(BookingId='B007',Sequence=1)/Booking/" +
				"VesselName/$value",
			"FlightBookingDetailed('B000')" + strings.Repeat("/Segments(1)/Booking", 4),
			"FlightBookingDetailed('B000')" + strings.Repeat("/Segments(1)/Booking", 400),
			"FlightBookingDetailed?$filter=substring(State,-9223372036854775808,9223372036854775807) eq ''",
			"FlightBookingDetailed?$filter=CreatedAt add duration'P99999999D' gt now()",
		} {
			s.unharmed(t, resource, s.get(t, resource))
		}
		for _, body := range []string{"$filter=" + deep,
			"$filter=State in (" + strings.Repeat("'x',", 20_000) + "'x')",
			"$filter=" + strings.Repeat("State eq 'x' or ", 6000) + "true",
			"$orderby=" + strings.Repeat("State,", 5000),
			strings.Repeat("&", 100_000), strings.Repeat("@a=1&", 20_000), "\x00\xff"} {
			a := s.ask(t, http.MethodPost, s.root()+"FlightBookingDetailed/$query", body, "Content-Type",
				"text/plain")
			s.unharmed(t, fmt.Sprintf("%.60s", body), a)
		}
		for name, value := range map[string]string{"Accept": strings.Repeat("application/json;q=0.1,", 500),
			"OData-MaxVersion": strings.Repeat("4", 5000), "Prefer": strings.Repeat("odata.maxpagesize=-1,", 500),
			"If-None-Match": strings.Repeat(`"x",`, 2000), "Accept-Encoding": strings.Repeat("gzip;q=x,", 500)} {
			s.unharmed(t, name, s.get(t, "FlightBookingDetailed?$top=1", name, value))
		}
		if n := other.get(t, "FlightBookingDetailed/$count").body; n != "1" {
			t.Errorf("the other account has %s rows; want 1", n)
		}
	})
}

// unharmed fails the test if an answer tells that a request has done harm.
func (s *service) unharmed(t *testing.T, name string, a answer) {
	t.Helper()
	if a.status >= 500 && a.status != http.StatusNotImplemented {
		t.Errorf("%.100s: %d, %s", name, a.status, a.body)
	}
	if a.status >= 400 && len(a.body) > 0 && a.header.Get("Content-Type") == "application/json" {
		_, message, target := a.fault(t)
		for _, inside := range []string{"SQL", "sql", "report_row", "report_booking", ".go:", "syntax error at"} {
			if strings.Contains(message, inside) && !strings.Contains(name, inside) {
				t.Errorf("%.100s: the message has %q: %s", name, inside, message)
			}
		}
		if len(message) > 500 || len(target) > 500 {
			t.Errorf("%.100s: the message has %d bytes, the target %d", name, len(message), len(target))
		}
	}
	if strings.Contains(a.body, `"BookingId":"B007"`) {
		t.Errorf("%.100s shows another account's booking", name)
	}
}

// FuzzRequest sends any address to the service: none is answered by a 5xx, and JSON is JSON.
func FuzzRequest(f *testing.F) {
	random := rand.New(rand.NewPCG(11, 4))
	for _, set := range query.Schema.Sets {
		g := odatatest.Generator{Rand: random, Set: set}
		for range 20 {
			f.Add(set.Name, g.Query())
		}
	}
	f.Add("FlightBookingDetailed('B001')/Segments(1)/Booking/Actions/$count", "$filter=Sequence%20gt%200")
	f.Add("Segments", "$expand=Booking($expand=Actions($top=1),Refund)&$filter=Booking/Refund%20eq%20null")
	f.Add("FlightBookingDetailed('B001')/State/$value", "")
	f.Add("$metadata", "$format=json")
	f.Add("FlightBookingDetailed/$count", "$search=a%20NOT%20b")
	s := newService(f, storetest.New(f), 3, reporting.Limits{})
	f.Fuzz(func(t *testing.T, path, options string) {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.URL.Path, r.URL.RawPath, r.URL.RawQuery = "/v2/odata/"+path, "", options
		r.SetBasicAuth(s.name, s.password)
		w := httptest.NewRecorder()
		s.handler.ServeHTTP(w, r)
		if w.Code >= 500 && w.Code != http.StatusNotImplemented || !utf8.Valid(w.Body.Bytes()) {
			t.Errorf("%q, %q: %d, %s", path, options, w.Code, w.Body)
		}
	})
}
