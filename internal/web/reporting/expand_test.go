package reporting_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/web/reporting"
)

// flights gives a booking n flights, of QR and KL by turns, a day apart.
func flights(n int) func(*gangway.Booking) {
	return func(b *gangway.Booking) {
		first := b.Itinerary.Segments[0]
		b.Itinerary.Segments = nil
		for i := range n {
			s := first
			s.Carrier, s.FlightNumber = []string{"QR", "KL"}[i%2], fmt.Sprint(100+i)
			s.Departure, s.Arrival = s.Departure.AddDate(0, 0, i), s.Departure.AddDate(0, 0, i).Add(3*time.Hour)
			b.Itinerary.Segments = append(b.Itinerary.Segments, s)
		}
	}
}

// value returns what an answer has behind its context, or the answer if it is no success.
func (a answer) value(t *testing.T) string {
	t.Helper()
	if a.status != http.StatusOK {
		return fmt.Sprint(a.status, " ", a.body)
	}
	_, rest, found := strings.Cut(a.body, `",`)
	if !found || !strings.HasPrefix(a.body, `{"@odata.context":`) {
		return a.body
	}
	return "{" + rest
}

// TestExpand holds what of related rows is answered, on which levels and in which form.
func TestExpand(t *testing.T) {
	each(t, 0, reporting.Limits{}, func(t *testing.T, s *service) {
		s.book(t, 0, flights(3))
		s.book(t, 1, flights(0))
		s.book(t, 2, flights(1))
		other := newService(t, s.db, 0, reporting.Limits{})
		other.book(t, 7, flights(2))
		for _, c := range []struct{ resource, context, want string }{
			{"FlightBookingDetailed?$select=BookingId&$expand=Segments($select=Carrier)&$orderby=BookingId",
				"FlightBookingDetailed(BookingId,Segments(Carrier))",
				`{"value":[{"BookingId":"B000","Segments":[{"Carrier":"QR"},{"Carrier":"KL"},{"Carrier":"QR"}]},` +
					`{"BookingId":"B001","Segments":[]},{"BookingId":"B002","Segments":[{"Carrier":"QR"}]}]}`},
			{"FlightBookingDetailed?$select=BookingId&$expand=Segments($select=Number;$orderby=Number;$top=1;$skip=1;" +
				"$count=true;$filter=Carrier eq 'QR')&$orderby=BookingId&$top=2",
				"FlightBookingDetailed(BookingId,Segments(Number))",
				`{"value":[{"BookingId":"B000","Segments@odata.count":2,"Segments":[{"Number":3}]},` +
					`{"BookingId":"B001","Segments@odata.count":0,"Segments":[]}]}`},
			{"FlightBookingDetailed?$select=BookingId&$expand=Segments/$count,Actions/$ref&$orderby=BookingId&$top=1",
				"FlightBookingDetailed(BookingId)" +
					"", `{"value":[{"BookingId":"B000","Segments@odata.count":3,"Actions":` +
					`[{"@odata.id":"{root}Actions(BookingId='B000',Sequence=1)"}]}]}`},
			{"FlightBookingDetailed('B002')?$select=BookingId&$expand=Segments($select=Number;$expand=Booking(" +
				"$select=VesselName;$expand=Segments($select=Carrier))),Refund($select=Awaited)",
				"FlightBookingDetailed(BookingId,Segments(Number,Booking(VesselName,Segments(Carrier)))" +
					",Refund(Awaited))" +
					"/$entity",
				`{"BookingId":"B002","Segments":[{"Number":1,"Booking":{"VesselName":"Nordlys","Segments":` +
					`[{"Carrier":"QR"}]}}],"Refund":null}`},
			{"Segments?$select=Number&$expand=Booking($select=BookingId;$compute=length(VesselName) as L)&$orderby=" +
				"Booking/BookingId,Number desc&$filter=Carrier eq 'QR'&$count=true",
				"Segments(Number,Booking(BookingId))",
				`{"@odata.count":3,"value":[{"Number":3,"Booking":{"BookingId":"B000"}},{"Number":1,"Booking":` +
					`{"BookingId":"B000"}},{"Number":1,"Booking":{"BookingId":"B002"}}]}`},
			{"FlightBookingDetailed?$select=BookingId&$filter=Segments/$count($filter=Carrier eq 'QR') eq 2",
				"FlightBookingDetailed(BookingId)", `{"value":[{"BookingId":"B000"}]}`},
			{"FlightBookingDetailed?$select=BookingId&$filter=Refund eq null and Segments/$count($search=KL) ne 0",
				"FlightBookingDetailed(BookingId)", `{"value":[{"BookingId":"B000"}]}`},
			{"FlightBookingDetailed?$select=BookingId,Segments&$filter=Segments/any(s:s/Number eq 3)",
				"FlightBookingDetailed(BookingId,Segments)", `{"value":[{"BookingId":"B000"}]}`},
			{"FlightBookingDetailed?$select=BookingId&$filter=Segments/$count eq 0&$expand=Segments,Refund/$ref",
				"FlightBookingDetailed(BookingId,Segments())",
				`{"value":[{"BookingId":"B001","Segments":[],"Refund":null}]}`},
			{"FlightBookingDetailed?$top=0&$expand=*", "FlightBookingDetailed(Segments(),Actions(),Refund()" +
				",Deliveries())",
				`{"value":[]}`},
		} {
			a := s.get(t, c.resource)
			clean := strings.NewReplacer(s.root(), "{root}")
			if got := clean.Replace(a.value(t)); got != c.want {
				t.Errorf("%s\n     %s\nwant %s", c.resource, got, c.want)
			}
			var context struct {
				At string `json:"@odata.context"`
			}
			if err := json.Unmarshal([]byte(a.body), &context); err != nil ||
				context.At != s.root()+"$metadata#"+c.context {
				t.Errorf("%s: %v, the context is %s", c.resource, err, context.At)
			}
		}
	})
}

// TestExpandWithLinks holds that with full metadata each row says where what it leads to is, and that it is there.
func TestExpandWithLinks(t *testing.T) {
	each(t, 0, reporting.Limits{}, func(t *testing.T, s *service) {
		s.book(t, 0, flights(1))
		a := s.get(t, "FlightBookingDetailed?$select=BookingId,Refund&$expand=Segments($select=Number)", "Accept",
			"application/json;odata.metadata=full")
		var p struct {
			Value []struct {
				ID       string `json:"@odata.id"`
				Link     string `json:"Segments@odata.navigationLink"`
				Refund   string `json:"Refund@odata.navigationLink"`
				Actions  string `json:"Actions@odata.navigationLink"`
				Segments []struct {
					ID   string `json:"@odata.id"`
					Type string `json:"@odata.type"`
				}
			}
		}
		if err := json.Unmarshal([]byte(a.body), &p); err != nil || len(p.Value) != 1 || len(p.Value[0].Segments) != 1 {
			t.Fatalf("%v: %s", err, a.body)
		}
		row := p.Value[0]
		if row.Refund != row.ID+"/Refund" || row.Actions != "" || row.Segments[0].Type != "#Gangway.Report.Segments" {
			t.Errorf("the row is %+v", row)
		}
		for _, link := range []string{row.ID, row.Link, row.Segments[0].ID} {
			if a := s.ask(t, http.MethodGet, link, ""); a.status != http.StatusOK {
				t.Errorf("%s leads to %d: %s", link, a.status, a.body)
			}
		}
	})
}

// TestRelatedPaths holds where paths through rows lead, and that what is not there is not found.
func TestRelatedPaths(t *testing.T) {
	each(t, 0, reporting.Limits{Rows: 2}, func(t *testing.T, s *service) {
		s.book(t, 0, flights(3))
		s.book(t, 1, flights(0))
		other := newService(t, s.db, 0, reporting.Limits{})
		other.book(t, 7, flights(2))
		for _, c := range []struct {
			path   string
			status int
			want   string
		}{
			{"FlightBookingDetailed('B000')/Segments/$count", 200, "3"},
			{"FlightBookingDetailed('B000')/Segments/$count?$filter=Carrier eq 'QR'", 200, "2"},
			{"FlightBookingDetailed('B001')/Segments/$count", 200, "0"},
			{"FlightBookingDetailed('B001')/Segments", 200, `#Segments","value":[]}`},
			{"FlightBookingDetailed('B000')/Segments?$select=Number&$filter=Carrier eq 'KL'", 200,
				`#Segments(Number)","value":[{"Number":2}]}`},
			{"FlightBookingDetailed('B000')/Segments(2)?$select=Carrier", 200,
				`#Segments(Carrier)/$entity","Carrier":"KL"}`},
			{"FlightBookingDetailed('B000')/Segments(Number=3)/Carrier/$value", 200, "QR"},
			{"FlightBookingDetailed('B000')/Segments(BookingId='B000',Number=3)/Carrier", 200,
				`#Segments(BookingId='B000',Number=3)/Carrier","value":"QR"}`},
			{"Segments(BookingId='B000',Number=1)/Booking/VesselName", 200,
				`#FlightBookingDetailed('B000')/VesselName","value":"Aurora"}`},
			{"Segments(BookingId='B000',Number=1)/Booking?$select=BookingId&$expand=Segments($select=Number;$top=1)",
				200,
				`#FlightBookingDetailed(BookingId,Segments(Number))/` +
					`$entity","BookingId":"B000","Segments":[{"Number":1}]}`},
			{"Segments(BookingId='B000',Number=1)/Booking/Segments(2)/Booking/Actions(1)/Booking/BookingId/$value",
				200, "B000"},
			{"FlightBookingDetailed('B000')/Segments/$ref?$filter=Number eq 2", 200, `#Collection($ref)","value":[` +
				`{"@odata.id":"` + s.root() + `Segments(BookingId='B000',Number=2)"}]}`},
			{"Segments(BookingId='B000',Number=2)/Booking/$ref", 200, `#$ref","@odata.id":"` + s.root() +
				`FlightBookingDetailed('B000')"}`},
			{"FlightBookingDetailed('B000')/Refund", 204, ""},
			{"FlightBookingDetailed('B000')/Refund/Awaited", 404, "no row"},
			{"FlightBookingDetailed('B000')/Segments(4)", 404, "no row"},
			{"FlightBookingDetailed('B000')/Segments(BookingId='B001',Number=1)", 404, "no row"},
			{"FlightBookingDetailed('nobody')/Segments", 404, "no row"},
			{"FlightBookingDetailed('nobody')/Segments/$count", 404, "no row"},
			{"FlightBookingDetailed('nobody')/Refund", 404, "no row"},
			{"FlightBookingDetailed('B007')/Segments", 404, "no row"},
			{"FlightBookingDetailed('B007')/Segments(1)", 404, "no row"},
			{"Segments(BookingId='B007',Number=1)/Booking", 404, "no row"},
			{"FlightBookingDetailed('B000')/Segments('x')", 400, "Number"},
			{"FlightBookingDetailed('B000')/Refund('B000')", 404, "one row"},
		} {
			if a := s.get(t, c.path); a.status != c.status || !strings.Contains(a.body, c.want) ||
				c.status == 200 && strings.HasPrefix(c.want, "#") && !strings.HasSuffix(a.body, c.want) {
				t.Errorf("%s: %d %s; want %d %s", c.path, a.status, a.body, c.status, c.want)
			}
		}
		for _, resource := range []string{"FlightBookingDetailed('B000')/Segments?$top=9",
			"FlightBookingDetailed('B001')/Segments", "FlightBookingDetailed?$filter=Segments/any()",
			"FlightBookingDetailed?$expand=Segments"} { // of which nobody could tell what has changed
			if p := s.get(t, resource, "Prefer", "odata.track-changes").page(t); p.Delta != "" {
				t.Errorf("%s has a link to changes", resource)
			}
		}
		first := s.get(t, "FlightBookingDetailed('B000')/Segments?$select=Number&$orderby=Number&$count=true").page(t)
		second := s.ask(t, http.MethodGet, first.Next, "").page(t)
		if len(first.Value) != 2 || fmt.Sprint(second.Value,
			*second.Count) != "[map[Number:3]] 3" || second.Next != "" {
			t.Errorf("the pages are %+v and %+v", first, second)
		}
	})
}

// A branch is a row with its flights, as far as they are in an answer.
type branch struct {
	BookingId string
	Count     *int `json:"Segments@odata.count"`
	Segments  []map[string]any
	Next      string `json:"Segments@odata.nextLink"`
}

// TestExpandEndsAtItsSize holds that answers with related rows are no larger than pages may be, however many these
// are, and that links lead to all that is left, once and in order.
func TestExpandEndsAtItsSize(t *testing.T) {
	bookings := []int{7, 0, 40, 3, 3, 3, 25, 1}
	for name, limits := range map[string]reporting.Limits{
		"many bytes":        {Bytes: 2000, Rows: 50},
		"many rows":         {Related: 5, Rows: 50},
		"many of one row":   {Rows: 4},
		"all there is room": {},
	} {
		t.Run(name, func(t *testing.T) {
			each(t, 0, limits, func(t *testing.T, s *service) {
				for i, n := range bookings {
					s.book(t, i, flights(n))
				}
				at := s.root() + "FlightBookingDetailed?$orderby=BookingId&$select=BookingId&$expand=" +
					url.QueryEscape("Segments($orderby=Number desc;$count=true;$filter=Carrier ne @c;"+
						"$expand=Booking($select=BookingId,VesselName))") + "&@c='XX'"
				pages, rows := 0, 0
				for at != "" {
					a := s.ask(t, http.MethodGet, at, "")
					var p struct {
						Value []branch
						Next  string `json:"@odata.nextLink"`
					}
					if err := json.Unmarshal([]byte(a.body), &p); err != nil || a.status != 200 || len(p.Value) == 0 {
						t.Fatalf("%v, %d: %s", err, a.status, a.body)
					}
					if limits.Bytes > 0 && len(a.body) > 2*limits.Bytes {
						t.Errorf("an answer has %d bytes", len(a.body))
					}
					pages++
					for _, b := range p.Value {
						want := bookings[rows]
						if b.BookingId != fmt.Sprintf("B%03d", rows) || *b.Count != want {
							t.Fatalf("row %d is %+v", rows, b)
						}
						rows++
						got := b.Segments
						for next := b.Next; next != ""; {
							more := s.ask(t, http.MethodGet, next, "").page(t)
							if got = append(got, more.Value...); *more.Count != want {
								t.Errorf("a link says that there are %d of %d", *more.Count, want)
							}
							next = more.Next
						}
						for i, f := range got {
							to, _ := f["Booking"].(map[string]any)
							if f["Number"] != float64(want-i) || to["BookingId"] != b.BookingId {
								t.Fatalf("flight %d of %s is %v", i, b.BookingId, f)
							}
						}
						if len(got) != want {
							t.Errorf("%s has %d flights; want %d", b.BookingId, len(got), want)
						}
					}
					at = p.Next
				}
				onePage := limits == reporting.Limits{}
				if rows != len(bookings) || onePage != (pages == 1) {
					t.Errorf("%d rows on %d pages", rows, pages)
				}
			})
		})
	}
}
