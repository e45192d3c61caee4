package store_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"gangway/internal/gangway"
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
	must(t, err)
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
		must(t, err)
		if keys, _ = changesOf(t, in, "Segments", mark); strings.HasSuffix(t.Name(), "sqlite") && len(keys) > 0 {
			t.Errorf("%q were written, although nothing that they tell of has changed", keys)
		}
		_, err = in.UpdateBooking(t.Context(), "b1", "", func(b *gangway.Booking) (gangway.Action, error) {
			b.Itinerary = gangway.Itinerary{Segments: twoFlights.Segments[:1]}
			return gangway.Action{}, nil
		})
		must(t, err)
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
		must(t, err)
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

// TestActionsAndDeliveries holds that each action of a booking has a row that says who did it, by the name
// of that time, and each delivery of it one that says how far it has come.
func TestActionsAndDeliveries(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		account := storetest.Account(t, db)
		in := db.In(account.Scope())
		ana := gangway.User{ID: store.NewID("usr"), Customer: account.Customer.ID, Email: "ana@example.com",
			Name: "Ana Lima", Role: gangway.Booker}
		must(t, db.CreateUser(t.Context(), storetest.Operator, ana, "hash", noon))
		outlet, err := in.SetOutlet(t.Context(), storetest.Operator, gangway.DefaultOutlet,
			storetest.PushTo("https://crew.example.com/secret-path"),
			[]string{"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"}, noon)
		must(t, err)
		createBooking(t, in, "b1", nil)
		createBooking(t, db.In(storetest.Account(t, db).Scope()), "b2", nil) // another account's
		keys, mark := changesOf(t, in, "Actions", 0)
		if !slices.Equal(keys, []string{"b1 1"}) {
			t.Errorf("since the beginning %q were written", keys)
		}
		_, err = in.UpdateBooking(t.Context(), "b1", "", func(b *gangway.Booking) (gangway.Action, error) {
			return b.Move(gangway.Cancel, gangway.System, noon.Add(time.Minute))
		})
		must(t, err)
		const actions = `"BookingId":"b1","Sequence":2,"Action":"cancelled","ActedAt":"2026-11-02T12:01:00Z",` +
			`"User":"system","UserName":"system"` + "\n" +
			`"BookingId":"b1","Sequence":1,"Action":"confirmed","ActedAt":"2026-11-02T12:00:00Z",` +
			`"User":"ana@example.com","UserName":"Ana Lima"`
		if got := told(t, in, "Actions", ""); got != actions {
			t.Errorf("the actions are\n%s\nwant\n%s", got, actions)
		}
		if keys, _ = changesOf(t, in, "Actions", mark); !slices.Contains(keys, "b1 2") ||
			strings.HasSuffix(t.Name(), "sqlite") && len(keys) != 1 {
			t.Errorf("then %q were written; want the second", keys)
		}

		at := noon.Add(time.Hour)
		for _, try := range []struct {
			state  string
			tried  store.Attempt
			failed *store.DeliveryFailure
		}{
			{"due", store.Attempt{Answer: "dial crew.example.com"}, &store.DeliveryFailure{}},
			{"due", store.Attempt{Status: 503, Answer: "secret"}, &store.DeliveryFailure{}},
			{"done", store.Attempt{Status: 204}, nil},
			{"parked", store.Attempt{Answer: "dial crew.example.com"}, &store.DeliveryFailure{Park: true}},
		} {
			l, d := storetest.TakeDelivery(t, db, at)
			try.tried.At = at
			if try.failed != nil {
				try.failed.Next, try.failed.Probe = at, at
			}
			must(t, storetest.SettleTry(t, db, l, d, try.state, try.tried, try.failed))
			at = at.Add(time.Hour)
		}
		deliveries := `"Sequence":2,"OutletId":"` + outlet.ID + `","Progress":"parked","MadeAt":"2026-11-02T12:01:00Z",` +
			`"Tries":1,"FirstTriedAt":"2026-11-02T16:00:00Z","LastTriedAt":"2026-11-02T16:00:00Z","DeliveredAt":null,` +
			`"LastStatus":null` + "\n" +
			`"Sequence":1,"OutletId":"` + outlet.ID + `","Progress":"done","MadeAt":"2026-11-02T12:00:00Z",` +
			`"Tries":3,"FirstTriedAt":"2026-11-02T13:00:00Z","LastTriedAt":"2026-11-02T15:00:00Z",` +
			`"DeliveredAt":"2026-11-02T15:00:00Z","LastStatus":204`
		got := told(t, in, "Deliveries", "$select=Sequence,OutletId,Progress,MadeAt,Tries,FirstTriedAt,LastTriedAt,"+
			"DeliveredAt,LastStatus")
		if got != deliveries {
			t.Errorf("the deliveries are\n%s\nwant\n%s", got, deliveries)
		}
		for _, word := range []string{"crew.example", "secret", "whsec"} {
			if all := told(t, in, "Deliveries", ""); strings.Contains(all, word) {
				t.Errorf("%q is in what is told of deliveries:\n%s", word, all)
			}
		}
		got = told(t, in, "Deliveries", "$filter=LastStatus eq 204 and Tries add 2147483647 gt 0&$select=DeliveryId")
		if !strings.HasPrefix(got, `"DeliveryId":"msg_`) {
			t.Errorf("with the status 204 there is %s", got)
		}
	})
}

// TestRefunds holds that a booking has a row for its refund once it is cancelled, and that it says what is
// known of the money at each step.
func TestRefunds(t *testing.T) {
	usd := func(minor int64) gangway.Money { return gangway.Money{Minor: minor, Currency: "USD"} }
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		in := db.In(storetest.Account(t, db).Scope())
		createBooking(t, in, "b1", nil)
		step := func(event gangway.Event, hours int, change func(b *gangway.Booking, at time.Time)) {
			t.Helper()
			_, err := in.UpdateBooking(t.Context(), "b1", "", func(b *gangway.Booking) (gangway.Action, error) {
				at := noon.Add(time.Duration(hours) * time.Hour)
				action, err := b.Move(event, "ana@example.com", at)
				change(b, at)
				return action, err
			})
			must(t, err)
		}
		is := func(when, want string) {
			t.Helper()
			if got := told(t, in, "Refunds", ""); got != want {
				t.Errorf("%s there is\n%s\nwant\n%s", when, got, want)
			}
		}
		step(gangway.Issue, 1, func(b *gangway.Booking, at time.Time) {
			b.SetPrice(gangway.PriceOf(usd(40000), usd(8250), gangway.Money{}), at)
		})
		is("when it is paid", "")
		step(gangway.CancelForRefund, 2, func(b *gangway.Booking, at time.Time) {
			b.SetRefund(&gangway.Refund{Amount: usd(0), Unknown: true, AskedAt: at}, at)
		})
		is("before the airline has said how much", `"BookingId":"b1","AskedAt":"2026-11-02T14:00:00Z","SettledAt":null,`+
			`"Awaited":true,"Voided":false,"PromisedTotal":null,"RefundTotal":null,"ReturnedTotal":0,`+
			`"OutstandingTotal":null,"KeptTotal":null,"RefundCurrency":"USD"`)
		_, mark := changesOf(t, in, "Refunds", 0)
		step(gangway.SettleRefund, 3, func(b *gangway.Booking, at time.Time) {
			b.SetRefund(&gangway.Refund{Amount: usd(30025), AskedAt: b.Refund.AskedAt, SettledAt: at}, at)
		})
		is("when the money has come", `"BookingId":"b1","AskedAt":"2026-11-02T14:00:00Z",`+
			`"SettledAt":"2026-11-02T15:00:00Z","Awaited":false,"Voided":false,"PromisedTotal":null,"RefundTotal":300.25,`+
			`"ReturnedTotal":300.25,"OutstandingTotal":0,"KeptTotal":182.25,"RefundCurrency":"USD"`)
		if keys, _ := changesOf(t, in, "Refunds", mark); !slices.Equal(keys, []string{"b1"}) {
			t.Errorf("then %q were written", keys)
		}
		booking := told(t, in, "FlightBookingDetailed", "$select=RefundTotal,RefundCurrency")
		if booking != `"RefundTotal":300.25,"RefundCurrency":"USD"` {
			t.Errorf("its booking has %s", booking)
		}
	})
}

// TestHotelRequirements holds that each travel request with a hotel has a row, whether its dates are known or not,
// until it is taken back.
func TestHotelRequirements(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		in := db.In(storetest.Account(t, db).Scope())
		maria := gangway.Traveller{LastName: "Ñandú", FirstName: "María"}
		list := []gangway.TravelRequest{
			{RequestID: "R1", SubRequestID: "1", Traveller: maria, Remarks: "quiet\x00room \\u0000 \"please\"",
				Hotel:   &gangway.HotelNeed{Location: "Singapore", CheckIn: "2026-12-30", CheckOut: "2027-01-02"},
				Vehicle: &gangway.Vehicle{Name: "Nordlys", Flag: "NO"}},
			{RequestID: "R2", Traveller: maria, Hotel: &gangway.HotelNeed{}},
			{RequestID: "R3", Traveller: maria, Flight: &gangway.FlightNeed{}},
		}
		for _, one := range []store.Scoped{in, db.In(storetest.Account(t, db).Scope())} {
			must(t, did(one.UpsertTravelRequests(t.Context(), list)))
		}
		ana := gangway.Actor{ID: "ana@example.com", Name: "Ana"}
		if _, err := in.MarkHotels(t.Context(), ana, []store.HotelKey{{RequestID: "R1", SubRequestID: "1"}}, "room 7",
			noon); err != nil {
			t.Fatal(err)
		}
		const known = `"RequestId":"R1","SubRequestId":"1","Location":"Singapore","CheckIn":"2026-12-30",` +
			`"CheckOut":"2027-01-02","Nights":3,"PassengerLastName":"Ñandú","PassengerFirstName":"María",` +
			`"VesselName":"Nordlys","VesselFlag":"NO","HandledAt":"2026-11-02T12:00:00Z","HandledByUser":"ana@example.com"`
		const unknown = `"RequestId":"R2","SubRequestId":"","Location":null,"CheckIn":null,"CheckOut":null,"Nights":null,` +
			`"PassengerLastName":"Ñandú","PassengerFirstName":"María","VesselName":null,"VesselFlag":null,` +
			`"HandledAt":null,"HandledByUser":null`
		if got := told(t, in, "HotelRequirements", ""); got != known+"\n"+unknown {
			t.Errorf("the hotels are\n%s\nwant\n%s\n%s", got, known, unknown)
		}
		got := told(t, in, "HotelRequirements", "$filter=CheckIn ge 2026-12-30 and CheckOut lt 2027-01-03 and "+
			"Nights gt 2")
		if got != known {
			t.Errorf("at the turn of the year there are\n%s", got)
		}
		must(t, did(in.DeleteTravelRequests(t.Context(), "R1", nil)))
		if got := told(t, in, "HotelRequirements", ""); got != unknown {
			t.Errorf("when the first is taken back there are\n%s", got)
		}
	})
}

// TestRebuild holds that writing the report anew makes right what is wrong, in every set that is kept, and
// leaves alone what is right: whoever asks for changes is told of no other.
func TestRebuild(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		db := sure(store.Open(t.Context(), url))(t)
		defer db.Close()
		in := db.In(storetest.Account(t, db).Scope())
		for _, id := range []string{"b1", "b2", "b3"} {
			createBooking(t, in, id, func(b *gangway.Booking) { b.Itinerary = twoFlights })
		}
		was, marks := map[string]string{}, map[string]int64{}
		for _, set := range report.Kept {
			was[set.Name] = told(t, in, set.Name, "")
			_, marks[set.Name] = changesOf(t, in, set.Name, 0)
		}
		operator := raw(t, url)
		operator.SetMaxOpenConns(1)
		for _, damage := range []string{
			`DELETE FROM report_segment WHERE booking_id = 'b2' AND number = 2`,
			`UPDATE report_segment SET gone = 1 WHERE booking_id = 'b3' AND number = 1`,
			`CREATE TEMPORARY TABLE more AS SELECT * FROM report_segment WHERE booking_id = 'b1' AND number = 2`,
			`UPDATE more SET number = 3`,
			`INSERT INTO report_segment SELECT * FROM more`,
			`UPDATE report_booking SET members = 'wrong' WHERE booking_id = 'b2'`,
		} {
			must(t, did(operator.ExecContext(t.Context(), damage)))
		}
		must(t, in.RebuildReport(t.Context()))
		for sure(in.BuildReport(t.Context()))(t) {
		}
		for _, set := range report.Kept {
			if got := told(t, in, set.Name, ""); got != was[set.Name] {
				t.Errorf("the rows of %s are\n%s\nwant\n%s", set.Name, got, was[set.Name])
			}
		}
		for set, want := range map[string][]string{"Segments": {"-b1 3", "b2 2", "b3 1"},
			"FlightBookingDetailed": {"b2"}, "Refunds": nil} {
			keys, _ := changesOf(t, in, set, marks[set])
			for _, k := range want {
				if !slices.Contains(keys, k) {
					t.Errorf("of %s, %q were written; want %q", set, keys, want)
				}
			}
			if len(keys) != len(want) && strings.HasSuffix(t.Name(), "sqlite") {
				t.Errorf("of %s, %q were written; want %q", set, keys, want)
			}
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
