package store_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"gangway"
	"gangway/internal/report"
	"gangway/internal/report/query"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// told are the rows of a set, as JSON, for the options of a request.
func told(t *testing.T, in store.Scoped, set, options string) string {
	t.Helper()
	rows, _ := reported(t, in, query.Request{Query: asked(t, set, options).Query})
	return strings.Join(rows, "\n")
}

// changesOf are the keys of the rows of a set that were written since a mark, with a minus before those
// that are not there any more or do not match, and the next mark.
func changesOf(t *testing.T, in store.Scoped, set string, since int64) (keys []string, mark int64) {
	t.Helper()
	req := query.Request{Query: asked(t, set, "").Query, Changes: &query.Changes{Since: since}}
	err := in.Report(t.Context(), req, store.ReportAnswer{Mark: func(m int64) { mark = m },
		Row: func(r query.Row) error {
			sign := map[bool]string{true: "", false: "-"}[r.Matches()]
			keys = append(keys, sign+strings.Trim(fmt.Sprint(r.Key()), "[]"))
			return nil
		}})
	if err != nil {
		t.Fatal(err)
	}
	return keys, mark
}

// twoFlights is a journey from Manila to Amsterdam, of which one flight is operated by another airline.
var twoFlights = gangway.Itinerary{Segments: []gangway.Segment{
	{Carrier: "QR", FlightNumber: "QR933", Origin: "MNL", Destination: "DOH", Cabin: gangway.Economy, Aircraft: "77W",
		Departure: noon.AddDate(0, 1, 0), Arrival: noon.AddDate(0, 1, 0).Add(9 * time.Hour), DistanceKm: 7270,
		CO2eKg: 512.3, CO2eRFKg: 900.1},
	{Carrier: "QR", FlightNumber: "QR273", Operator: "KL", Origin: "DOH", Destination: "AMS", Cabin: gangway.Business,
		Departure: noon.AddDate(0, 1, 0).Add(11 * time.Hour), Arrival: noon.AddDate(0, 1, 0).Add(18 * time.Hour),
		DistanceKm: 4800, CO2eKg: 600},
}}

// TestSegments holds that each flight of a booking has a row, as it is booked now, and that whoever asks for
// changes is told of flights that the booking has no more.
func TestSegments(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		in := db.In(storetest.Account(t, db).Scope())
		createBooking(t, in, "b1", func(b *gangway.Booking) { b.Itinerary = twoFlights })
		createBooking(t, db.In(storetest.Account(t, db).Scope()), "b2", nil) // another account's
		const first = `"BookingId":"b1","Number":1,"State":"confirmed","CreatedAt":"2026-11-02T12:00:00Z","Leg":1,` +
			`"FlightNumber":"QR933","Carrier":"QR","CarrierName":"Qatar Airways","OperatingCarrier":null,` +
			`"OperatingCarrierName":null,"Origin":"MNL","Destination":"DOH","DepartureAt":"2026-12-02T12:00:00Z",` +
			`"ArrivalAt":"2026-12-02T21:00:00Z","Cabin":"economy","Aircraft":"77W","MileageKm":7270,` +
			`"Co2EmissionsKg":512.3,"VesselName":"Nordlys"`
		if got := told(t, in, "Segments", "$filter=Number eq 1"); got != first {
			t.Errorf("the first flight is\n%s\nwant\n%s", got, first)
		}
		const both = `"BookingId":"b1","Number":2,"OperatingCarrierName":"KLM Royal Dutch Airlines"` + "\n" +
			`"BookingId":"b1","Number":1,"OperatingCarrierName":null`
		if got := told(t, in, "Segments", "$select=BookingId,Number,OperatingCarrierName"); got != both {
			t.Errorf("the flights are\n%s\nwant\n%s", got, both)
		}
		if got := told(t, in, "Segments", "$search=qatar AND ams&$select=Number"); got != `"Number":2` {
			t.Errorf("$search finds %s", got)
		}
		keys, mark := changesOf(t, in, "Segments", 0)
		if !slices.Equal(keys, []string{"b1 1", "b1 2"}) {
			t.Errorf("since the beginning %q were written", keys)
		}
		_, err := in.UpdateBooking(t.Context(), "b1", "", func(b *gangway.Booking) (gangway.Action, error) {
			b.CheckAt = noon
			return gangway.Action{}, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if keys, _ = changesOf(t, in, "Segments", mark); strings.HasSuffix(t.Name(), "sqlite") && len(keys) > 0 {
			t.Errorf("%q were written, although nothing that they tell of has changed", keys)
		}
		_, err = in.UpdateBooking(t.Context(), "b1", "", func(b *gangway.Booking) (gangway.Action, error) {
			b.Itinerary = gangway.Itinerary{Segments: twoFlights.Segments[:1]}
			return gangway.Action{}, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if got := told(t, in, "Segments", ""); got != first {
			t.Errorf("when only the first is left there are\n%s", got)
		}
		if keys, mark = changesOf(t, in, "Segments", mark); !slices.Contains(keys, "-b1 2") ||
			strings.HasSuffix(t.Name(), "sqlite") && len(keys) != 1 {
			t.Errorf("then %q were written; want the second as gone", keys)
		}
		_, err = in.UpdateBooking(t.Context(), "b1", "", func(b *gangway.Booking) (gangway.Action, error) {
			b.Itinerary = twoFlights
			return issue(b)
		})
		if err != nil {
			t.Fatal(err)
		}
		if keys, _ = changesOf(t, in, "Segments", mark); !slices.Equal(keys, []string{"b1 1", "b1 2"}) {
			t.Errorf("once it is issued with both, %q were written", keys)
		}
		storetest.Settings(t, in, gangway.Settings{RadiativeForcing: true})
		const forced = `"Co2EmissionsKg":600` + "\n" + `"Co2EmissionsKg":900.1`
		if got := told(t, in, "Segments", "$select=Co2EmissionsKg"); got != forced {
			t.Errorf("with radiative forcing there are\n%s\nwant\n%s", got, forced)
		}
	})
}

// TestEverySet holds that each set is read on both databases, in any of its columns' order, with conditions
// and sums, by its key, and from one account.
func TestEverySet(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		in := db.In(storetest.Account(t, db).Scope())
		for _, set := range report.Sets {
			for _, c := range set.Columns {
				told(t, in, set.Name, "$orderby="+c.Name+" desc&$filter="+c.Name+" ne null&$compute="+c.Name+" as X")
			}
			told(t, in, set.Name, "$apply=groupby(("+set.Columns[1].Name+"),aggregate($count as N))")
		}
	})
}
