package reporting_test

import (
	"net/http"
	"strings"
	"testing"

	"gangway/internal/web/reporting"
)

// mashup is what Power Query accepts.
const mashup = "application/json;odata.metadata=minimal;q=1.0,application/json;odata=minimalmetadata;q=0.9," +
	"application/atomsvc+xml;q=0.8,application/atom+xml;q=0.8,application/xml;q=0.7,text/plain;q=0.7"

// TestFormats holds in which form clients are answered.
func TestFormats(t *testing.T) {
	each(t, 1, reporting.Limits{}, func(t *testing.T, s *service) {
		const rows, json = "FlightBookingDetailed?$top=1", "application/json;odata.metadata="
		for _, c := range []struct {
			resource, accept string
			status           int
			want             string
		}{
			{rows, "", 200, json + "minimal"},
			{rows, "*/*", 200, json + "minimal"},
			{rows, "application/json", 200, json + "minimal"},
			{rows, "application/json;odata.metadata=none", 200, json + "none"},
			{rows, "application/json; metadata=full", 200, json + "full"},
			{rows, "application/json;odata.streaming=true;odata.metadata=full;charset=utf-8", 200, json + "full"},
			{rows, "application/json;IEEE754Compatible=true;odata.metadata=minimal", 200,
				json + "minimal;IEEE754Compatible=true"},
			{rows, "application/json;odata.metadata=none;q=0.3,application/json;odata.metadata=full;q=0.5", 200,
				json + "full"},
			{rows, mashup, 200, json + "minimal"},
			{rows, "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", 200, json + "minimal"},
			{rows, "application/xml", 406, ""},
			{rows, "application/atom+xml", 406, ""},
			{rows, "application/json;odata.metadata=most", 406, ""},
			{rows, "application/json;q=0", 406, ""},
			{rows + "&$format=json", "application/xml", 200, json + "minimal"},
			{rows + "&$format=application/json;odata.metadata=none", "application/xml", 200, json + "none"},
			{rows + "&$format=atom", "application/json", 406, ""},
			{"", "application/xml", 406, ""},
			{"FlightBookingDetailed/$count", "application/json", 200, "text/plain;charset=utf-8"},
			{"FlightBookingDetailed('B000')/State/$value", "application/json", 200, "text/plain;charset=utf-8"},
			{"$metadata", "", 200, "application/xml"},
			{"$metadata", mashup, 200, "application/xml"},
			{"$metadata", "application/json", 200, "application/json"},
			{"$metadata", "application/json,application/xml;q=0.5", 200, "application/xml"},
			{"$metadata", "application/xml", 200, "application/xml"},
			{"$metadata", "text/html,*/*;q=0.8", 200, "application/xml"},
			{"$metadata", "image/png", 406, ""},
			{"$metadata?$format=json", "application/xml", 200, "application/json"},
			{"$metadata?$format=xml", "application/json", 200, "application/xml"},
			{"$metadata?$format=application/json", "", 200, "application/json"},
		} {
			a := s.get(t, c.resource, "Accept", c.accept)
			if a.status != c.status || c.want != "" && a.header.Get("Content-Type") != c.want {
				t.Errorf("%s as %q: %d, %s; want %d, %s", c.resource, c.accept, a.status, a.header.Get("Content-Type"),
					c.status, c.want)
			}
		}
		a := s.get(t, "$metadata", "Accept", "application/json", "OData-MaxVersion", "4.01")
		if a.header.Get("Content-Type") != "application/json" || a.header.Get("OData-Version") != "4.01" {
			t.Errorf("metadata of 4.01 as JSON: %v", a.header)
		}
		a = s.get(t, "$metadata", "Accept", "application/json", "OData-MaxVersion", "4.0")
		if a.header.Get("Content-Type") != "application/xml" || a.header.Get("OData-Version") != "4.0" {
			t.Errorf("metadata for who speaks 4.0 only: %v", a.header)
		}
		a = s.get(t, "$metadata?$format=json", "OData-MaxVersion", "4.0")
		if _, message, _ := a.fault(t); a.status != 406 || !strings.Contains(message, "4.01") {
			t.Errorf("metadata as JSON for who speaks 4.0 only: %d, %s", a.status, message)
		}
		if _, message, _ := s.get(t, "$metadata", "Accept", "text/html").fault(t); !strings.Contains(message, "XML") {
			t.Errorf("metadata as HTML: %s", message)
		}
		if a = s.get(t, "$metadata?$format=json"); a.header.Get("OData-Version") != "4.01" {
			t.Errorf("metadata as JSON, which came with 4.01: %v", a.header)
		}
	})
}

// TestVersions holds which version of OData is answered in.
func TestVersions(t *testing.T) {
	each(t, 0, reporting.Limits{}, func(t *testing.T, s *service) {
		for _, c := range []struct {
			name, sent string
			status     int
			want       string
		}{
			{"OData-MaxVersion", "", 200, "4.0"},
			{"OData-MaxVersion", "4.0", 200, "4.0"},
			{"OData-MaxVersion", "4.01", 200, "4.01"},
			{"OData-MaxVersion", "5.0", 200, "4.01"},
			{"OData-MaxVersion", "3.0", 400, "4.0"},
			{"OData-MaxVersion", "four", 400, "4.0"},
			{"OData-Version", "4.0", 200, "4.0"},
			{"OData-Version", "4.01", 200, "4.0"},
			{"OData-Version", "3.0", 400, "4.0"},
			{"MaxDataServiceVersion", "3.0", 200, "4.0"},
		} {
			for _, resource := range []string{"", "$metadata", "FlightBookingDetailed"} {
				header := []string{http.CanonicalHeaderKey(c.name), c.sent}
				a := s.get(t, resource, header...)
				if got := a.header.Values("OData-Version"); a.status != c.status || len(got) != 1 || got[0] != c.want {
					t.Errorf("%s with %s %q: %d, OData-Version %q; want %d, %s", resource, c.name, c.sent, a.status,
						got, c.status, c.want)
				}
			}
		}
	})
}

// TestLevels holds how much control information there is.
func TestLevels(t *testing.T) {
	each(t, 2, reporting.Limits{Rows: 1}, func(t *testing.T, s *service) {
		const asked = "FlightBookingDetailed?$count=true&$select=State,CreatedAt,PriceTotal,CancelledAt"
		meta := s.root() + "$metadata#FlightBookingDetailed(State,CreatedAt,PriceTotal,CancelledAt)"
		for level, want := range map[string]string{
			"odata.metadata=none": `{"@odata.count":2,"value":[{"State":"confirmed",` +
				`"CreatedAt":"2026-01-01T01:00:00Z","PriceTotal":100.25,"CancelledAt":null}],"@odata.nextLink":`,
			"odata.metadata=full": `{"@odata.context":"` + meta + `","@odata.count":2,"value":[{` +
				`"@odata.type":"#Gangway.Report.FlightBookingDetailed","@odata.id":"` + s.root() +
				`FlightBookingDetailed('B001')","State":"confirmed","CreatedAt@odata.type":"#DateTimeOffset",` +
				`"CreatedAt":"2026-01-01T01:00:00Z","PriceTotal@odata.type":"#Decimal","PriceTotal":100.25,` +
				`"CancelledAt@odata.type":"#DateTimeOffset","CancelledAt":null}],"@odata.nextLink":`,
			"IEEE754Compatible=true": `{"@odata.context":"` + meta + `","@odata.count":"2","value":[{` +
				`"State":"confirmed","CreatedAt":"2026-01-01T01:00:00Z","PriceTotal":"100.25","CancelledAt":null}],` +
				`"@odata.nextLink":`,
		} {
			if a := s.get(t, asked, "Accept", "application/json;"+level); !strings.HasPrefix(a.body, want) {
				t.Errorf("%s:\n%s\nwant\n%s", level, a.body, want)
			}
		}
		a := s.get(t, asked, "Prefer", "omit-values=nulls")
		if !strings.Contains(a.body, `"PriceTotal":100.25}],`) ||
			a.header.Get("Preference-Applied") != "omit-values=nulls" {
			t.Errorf("without nulls: %v, %s", a.header, a.body)
		}
		a = s.get(t, "FlightBookingDetailed?$apply=groupby((State))", "Accept", "application/json;odata.metadata=full")
		if !strings.Contains(a.body, `"value":[{"@odata.id":null,"State":"confirmed"}]`) {
			t.Errorf("groups have %s", a.body)
		}
		a = s.get(t, "FlightBookingDetailed('B000')", "Accept", "application/json;odata.metadata=full")
		if !strings.Contains(a.body, `FlightBookingDetailed('B000')","BookingId":"B000"`) {
			t.Errorf("one row is %s", a.body)
		}
	})
}

// TestWhatIsTheSame holds that nothing is sent again that the client has already, and that anything else is.
func TestWhatIsTheSame(t *testing.T) {
	each(t, 3, reporting.Limits{Rows: 2}, func(t *testing.T, s *service) {
		tags := map[string]string{}
		resources := []string{"", "$metadata", "$metadata?$format=json", "FlightBookingDetailed('B000')",
			"FlightBookingDetailed('B000')/State", "FlightBookingDetailed('B000')/State/$value",
			"FlightBookingDetailed", "FlightBookingDetailed?$count=true&$top=1&$select=BookingId",
			"FlightBookingDetailed/$count",
			"FlightBookingDetailed?$apply=groupby((State),aggregate(PriceTotal with sum as Total))"}
		for _, resource := range resources {
			a := s.get(t, resource)
			tag := a.header.Get("ETag")
			if tag == "" || a.status != 200 {
				t.Errorf("%s: %d, ETag %q", resource, a.status, tag)
			}
			tags[resource] = tag
			for _, same := range []string{tag, strings.TrimPrefix(tag, "W/"), `"x", ` + tag, "*"} {
				again := s.get(t, resource, "If-None-Match", same)
				if again.status != 304 || again.body != "" || again.header.Get("ETag") != tag {
					t.Errorf("%s with %s: %d, %.40q; want 304", resource, same, again.status, again.body)
				}
				if again := s.get(t, resource, "If-Match", same); again.status != 200 || again.body != a.body {
					t.Errorf("%s if it is %s: %d, %.40q; want 200", resource, same, again.status, again.body)
				}
			}
			if again := s.get(t, resource, "If-None-Match", `"x"`); again.status != 200 {
				t.Errorf("%s: %d for another ETag", resource, again.status)
			}
			again := s.get(t, resource, "If-Match", `"x"`)
			if code, _, _ := again.fault(t); again.status != 412 || code != "PreconditionFailed" {
				t.Errorf("%s: %d if it is another", resource, again.status)
			}
			if again := s.get(t, resource, "If-None-Match", tag, "OData-MaxVersion", "4.01"); again.status != 200 {
				t.Errorf("%s: %d in another version", resource, again.status)
			}
		}
		s.book(t, 3)
		for _, resource := range resources {
			changed := strings.HasPrefix(resource, "FlightBookingDetailed") && !strings.Contains(resource, "'B000'")
			want := map[bool]int{true: 200, false: 304}[changed]
			if a := s.get(t, resource, "If-None-Match", tags[resource]); a.status != want {
				t.Errorf("%s: %d once there is another booking; want %d", resource, a.status, want)
			}
		}
	})
}

// TestIsolation holds that who wants all pages to be of one moment is told that they are not.
func TestIsolation(t *testing.T) {
	each(t, 1, reporting.Limits{}, func(t *testing.T, s *service) {
		for _, name := range []string{"Isolation", "OData-Isolation"} {
			a := s.get(t, "FlightBookingDetailed", name, "snapshot")
			if code, message, _ := a.fault(t); a.status != 412 || code != "PreconditionFailed" ||
				!strings.HasPrefix(message, name) {
				t.Errorf("%s: %d, %s", name, a.status, a.body)
			}
		}
	})
}

// TestPacked holds that answers are compressed for those who accept it, long ones while they are read.
func TestPacked(t *testing.T) {
	each(t, 80, reporting.Limits{}, func(t *testing.T, s *service) {
		plain := s.get(t, "FlightBookingDetailed", "Accept-Encoding", "identity")
		for accept, want := range map[string]string{"gzip, deflate": "gzip", "*": "gzip", "gzip;q=0": "", "br": ""} {
			a := s.get(t, "FlightBookingDetailed", "Accept-Encoding", accept)
			if a.header.Get("Content-Encoding") != want || a.body != plain.body {
				t.Errorf("%s: encoded as %q, the same %v; want %q", accept, a.header.Get("Content-Encoding"),
					a.body == plain.body, want)
			}
			if !strings.Contains(a.header.Get("Vary"), "Accept-Encoding") {
				t.Errorf("Vary is %q", a.header.Get("Vary"))
			}
		}
	})
}
