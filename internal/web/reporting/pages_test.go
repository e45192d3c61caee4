package reporting_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"gangway/internal/web/reporting"
)

// follow reads all pages from a resource on, and returns the bookings of each.
func (s *service) follow(t *testing.T, resource string, header ...string) (pages [][]string, first page) {
	t.Helper()
	at := s.root() + resource
	for at != "" {
		p := s.ask(t, http.MethodGet, at, "", header...).page(t)
		if len(pages) == 0 {
			first = p
		}
		pages = append(pages, p.ids())
		if at = p.Next; len(pages) > 50 {
			t.Fatalf("%s never ends", resource)
		}
	}
	return pages, first
}

// TestPages holds that pages have what was asked for, once and in order, and that links carry all of it.
func TestPages(t *testing.T) {
	each(t, 25, reporting.Limits{Rows: 10, Most: 12}, func(t *testing.T, s *service) {
		for _, c := range []struct {
			resource, prefer string
			sizes            string
			first, last      string
		}{
			{"FlightBookingDetailed", "", "[10 10 5]", "B024", "B000"},
			{"FlightBookingDetailed?$top=20", "", "[10 10]", "B024", "B005"},
			{"FlightBookingDetailed?$top=10", "", "[10]", "B024", "B015"},
			{"FlightBookingDetailed?$top=11&$skip=3&$count=true", "", "[10 1]", "B021", "B011"},
			{"FlightBookingDetailed?$skip=24", "", "[1]", "B000", "B000"},
			{"FlightBookingDetailed?$orderby=VesselName desc,CreatedAt", "", "[10 10 5]", "B002", "B024"},
			{"FlightBookingDetailed?$orderby=CancelledAt,length(VesselName) desc", "", "[10 10 5]", "B023", "B000"},
			{"FlightBookingDetailed?$filter=VesselName eq 'Aurora'&$select=BookingId&$orderby=BookingId", "", "[9]",
				"B000", "B024"},
			{"FlightBookingDetailed", "odata.maxpagesize=7", "[7 7 7 4]", "B024", "B000"},
			{"FlightBookingDetailed", "maxpagesize=25, foo", "[12 12 1]", "B024", "B000"},
			{"FlightBookingDetailed?$search=müller OR cruz", "", "[10]", "B023", "B002"},
			{"FlightBookingDetailed?$filter=contains(PassengerLastName,@x)&@x='B'", "odata.maxpagesize=2",
				"[2 2 1]", "B021", "B001"},
		} {
			header := []string{"Prefer", c.prefer}
			pages, _ := s.follow(t, c.resource, header...)
			var sizes []int
			var all []string
			for _, p := range pages {
				sizes = append(sizes, len(p))
				all = append(all, p...)
			}
			sorted := slices.Clone(all)
			slices.Sort(sorted)
			if fmt.Sprint(sizes) != c.sizes || all[0] != c.first || all[len(all)-1] != c.last ||
				len(slices.Compact(sorted)) != len(all) {
				t.Errorf("%s, %s: pages of %v: %v; want %s from %s to %s", c.resource, c.prefer, sizes, all, c.sizes,
					c.first, c.last)
			}
			a := s.get(t, c.resource, header...)
			want := c.prefer
			if c.prefer == "maxpagesize=25, foo" {
				want = "odata.maxpagesize=12"
			}
			if got := a.header.Get("Preference-Applied"); got != want {
				t.Errorf("%s, %s: Preference-Applied %q; want %q", c.resource, c.prefer, got, want)
			}
		}
	})
}

// TestLinks holds what links are worth: they go on behind the last row whatever is booked meanwhile, say
// what the first page said, and belong to their request and their account.
func TestLinks(t *testing.T) {
	each(t, 12, reporting.Limits{Rows: 5}, func(t *testing.T, s *service) {
		first := s.get(t, "FlightBookingDetailed?$count=true&$select=BookingId,CreatedAt&$format="+
			url.QueryEscape("application/json;odata.metadata=none")).page(t)
		s.book(t, 12)
		s.book(t, 13)
		second := s.ask(t, http.MethodGet, first.Next, "").page(t)
		if got := strings.Join(second.ids(), " "); got != "B006 B005 B004 B003 B002" {
			t.Errorf("behind %v comes %s", first.ids(), got)
		}
		if second.Count == nil || *second.Count != 12 || second.Context != "" || len(second.Value[0]) != 2 {
			t.Errorf("the second page is %+v; want the count of the first, and its form", second)
		}
		// programs write addresses in their own ways
		rewritten := strings.NewReplacer("$", "%24", ",", "%2C").Replace(first.Next)
		if p := s.ask(t, http.MethodGet, rewritten, "").page(t); len(p.Value) != 5 {
			t.Errorf("a link that was written otherwise leads to %+v", p)
		}
		token := first.Next[strings.Index(first.Next, "$skiptoken=")+len("$skiptoken="):]
		other := newService(t, s.db, 0, reporting.Limits{})
		for name, a := range map[string]answer{
			"another filter":  s.ask(t, http.MethodGet, first.Next+"&$filter=State eq 'issued'", ""),
			"another order":   s.get(t, "FlightBookingDetailed?$orderby=State&$skiptoken="+token),
			"another account": other.get(t, strings.TrimPrefix(first.Next, s.root())),
			"a changed one":   s.ask(t, http.MethodGet, strings.Replace(first.Next, token[30:32], "AA", 1), ""),
			"none":            s.get(t, "FlightBookingDetailed?$skiptoken=AAAA"),
			"no base64":       s.get(t, "FlightBookingDetailed?$skiptoken=!!!"),
		} {
			if _, message, _ := a.fault(t); a.status != 400 || !strings.Contains(message, "$skiptoken") {
				t.Errorf("%s: %d, %s", name, a.status, a.body)
			}
		}
	})
}

// TestPagesEndAtTheirSize holds that a page takes no more memory than it may: it ends, and has a link.
func TestPagesEndAtTheirSize(t *testing.T) {
	each(t, 9, reporting.Limits{Bytes: 3000}, func(t *testing.T, s *service) {
		pages, _ := s.follow(t, "FlightBookingDetailed")
		if len(pages) < 3 || len(slices.Concat(pages...)) != 9 {
			t.Errorf("the pages are %v; want some of a few rows", pages)
		}
		if pages, _ := s.follow(t, "FlightBookingDetailed?$top=3"); len(slices.Concat(pages...)) != 3 {
			t.Errorf("the first three are %v", pages)
		}
	})
}

// TestQueryInBody asks with options that are too long for an address.
func TestQueryInBody(t *testing.T) {
	each(t, 12, reporting.Limits{Rows: 4}, func(t *testing.T, s *service) {
		var ids []string
		for i := range 12 {
			ids = append(ids, fmt.Sprintf("'B%03d'", i))
		}
		filter := "BookingId in (" + strings.Join(ids, ",") + ")"
		for kind, body := range map[string]string{
			"text/plain":                        "$filter=" + url.QueryEscape(filter) + "&$select=BookingId\r\n",
			"application/x-www-form-urlencoded": url.Values{"$filter": {filter}, "$select": {"BookingId"}}.Encode(),
			"application/json":                  `{"$filter":"` + filter + `","select":"BookingId"}`,
		} {
			p := s.ask(t, http.MethodPost, s.root()+"FlightBookingDetailed/$query", body, "Content-Type", kind).page(t)
			if len(p.Value) != 4 || len(p.Value[0]) != 1 {
				t.Fatalf("%s: %+v", kind, p)
			}
			all := len(p.Value)
			for p.Next != "" {
				p = s.ask(t, http.MethodGet, p.Next, "").page(t)
				all += len(p.Value)
			}
			if all != 12 {
				t.Errorf("%s: its links lead to %d rows; want 12", kind, all)
			}
		}
		a := s.ask(t, http.MethodPost, s.root()+"FlightBookingDetailed/$count/$query", "$filter=true", "Content-Type",
			"text/plain")
		if a.status != 200 && a.status != 404 {
			t.Errorf("a count: %d, %s", a.status, a.body)
		}
		for name, a := range map[string]answer{
			"415": s.ask(t, http.MethodPost, s.root()+"FlightBookingDetailed/$query", "<x/>", "Content-Type",
				"text/xml"),
			"400": s.ask(t, http.MethodPost, s.root()+"FlightBookingDetailed/$query", "[1]", "Content-Type",
				"application/json"),
			"413": s.ask(t, http.MethodPost, s.root()+"FlightBookingDetailed/$query", strings.Repeat("x", 2<<20),
				"Content-Type", "text/plain"),
		} {
			if code, _, _ := a.fault(t); fmt.Sprint(a.status) != name || a.header.Get("OData-Version") != "4.0" {
				t.Errorf("%d, %s, %s; want %s", a.status, code, a.body, name)
			}
		}
		for _, body := range []string{`{"$top":1}`, `{"$filter":"State eq 'x'","a":"b=c"}`, "State eq 'x'", "$top",
			"[1]"} {
			a := s.ask(t, http.MethodPost, s.root()+"FlightBookingDetailed/$query", body, "Content-Type", "text/plain")
			if _, message, _ := a.fault(t); a.status != 400 || !strings.Contains(message, "$filter=…") {
				t.Errorf("%s: %d, %s", body, a.status, message)
			}
		}
		a = s.ask(t, http.MethodPost, s.root()+"FlightBookingDetailed/$query", "\x1f\x8b", "Content-Type", "text/plain",
			"Content-Encoding", "gzip")
		if a.status != 415 {
			t.Errorf("a body in gzip: %d, %s", a.status, a.body)
		}
		// what nobody encoded is encoded in links
		p := s.ask(t, http.MethodPost, s.root()+"FlightBookingDetailed/$query",
			`$filter=VesselName ne 'Niño "|"'&$select=BookingId`, "Content-Type", "text/plain").page(t)
		if !strings.Contains(p.Next,
			"?$filter=VesselName%20ne%20'Ni%C3%B1o%20%22%7C%22'&$select=BookingId&$skiptoken=") {
			t.Errorf("the link is %s", p.Next)
		}
		if p = s.ask(t, http.MethodGet, p.Next, "").page(t); len(p.Value) != 4 {
			t.Errorf("it leads to %+v", p)
		}
		// a link to the next page would be too long for any address
		for len(ids) < 1500 {
			ids = append(ids, fmt.Sprintf("'other booking %d'", len(ids)))
		}
		body := "$filter=" + url.QueryEscape("BookingId in ("+strings.Join(ids, ",")+")")
		long := s.ask(t, http.MethodPost, s.root()+"FlightBookingDetailed/$query", body, "Content-Type", "text/plain")
		if _, message, _ := long.fault(t); long.status != 400 || !strings.Contains(message, "$top and $skip") {
			t.Errorf("%d, %s", long.status, message)
		}
		long = s.ask(t, http.MethodPost, s.root()+"FlightBookingDetailed/$query", body+"&$top=3&$skip=9",
			"Content-Type", "text/plain")
		if got := strings.Join(long.page(t).ids(), " "); got != "B002 B001 B000" {
			t.Errorf("by $skip: %s", got)
		}
	})
}
