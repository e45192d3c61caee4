package wire_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"gangway/internal/calltest"
	"gangway/internal/gangway"
	"gangway/internal/wire"
)

var update = flag.Bool("update", false, "write the golden files anew")

func at(zone int, day, hour, minute int) time.Time {
	return time.Date(2026, 12, day, hour, minute, 0, 0, time.FixedZone("", zone*3600))
}

// issued is a booking with everything; bare has as little as a booking can have.
func issued() gangway.Booking {
	return gangway.Booking{
		ID: "q7m2", Locator: "K7Q2MX", State: gangway.Issued, Version: 2,
		Passenger: gangway.Traveller{ID: "C-1001", LastName: "Müller", FirstName: "Jörg", DocNumber: "must not leave"},
		PricedItinerary: gangway.PricedItinerary{
			Itinerary: gangway.Itinerary{Segments: []gangway.Segment{
				{Leg: 0, Carrier: "EK", FlightNumber: "EK333", Origin: "MNL", Destination: "DXB",
					Departure: at(8, 1, 23, 55), Arrival: at(4, 2, 4, 55), Cabin: gangway.Economy},
				{Leg: 0, Carrier: "EK", FlightNumber: "EK147", Origin: "DXB", Destination: "AMS",
					Departure: at(4, 2, 8, 20), Arrival: at(1, 2, 12, 30), DestinationTerminal: "3",
					Cabin: gangway.Economy},
			}},
			Baggage: []gangway.Allowance{{Origin: "MNL", Destination: "AMS", Pieces: 2, WeightKg: 23}},
			Terms: gangway.Terms{FareType: gangway.Marine, Cancellations: gangway.Refundable,
				Changes: gangway.FreeChange},
			Price: gangway.Price{Total: gangway.Money{Minor: 48205, Currency: "USD"}},
		},
		Tickets: []string{"1769990000017"},
		Purpose: gangway.Purpose{
			Side: gangway.OnSigner, Airport: "AMS", Date: "2026-12-02", Vessel: "Nordlys", Flag: "NO", RequestID: "R-1",
			SubRequestID:    "2",
			TravelRequestID: "CC-7", FlightIDs: map[string]string{"MNL-AMS_flight_id": "F-9"},
			Metadata:     map[string]string{"vessel": "cannot hide ours"},
			CustomFields: map[string]string{"Cost centre": "77"},
		},
		CreatedAt: at(0, 1, 9, 0), CreatedBy: "ana@example.com", CreatedByName: "Ana Lindqvist",
	}
}

func bare() gangway.Booking {
	b := gangway.Booking{ID: "b", Locator: "BBBBBB", State: gangway.Declined, Version: 1, CreatedAt: at(0, 1, 9, 0),
		CreatedBy: "ana@example.com"}
	b.Price = gangway.Price{Total: gangway.Money{Minor: 1200, Currency: "JPY"}}
	return b
}

// lost is a booking that needs a person: the airline has cancelled it.
func lost() gangway.Booking {
	b := bare()
	b.State, b.Attention = gangway.Cancelled, &gangway.Attention{Why: "The airline has cancelled this booking.",
		At: at(0, 1, 9, 0), ToldBy: 1}
	return b
}

// refunded is a booking that was changed for a fee and then cancelled, with
// amounts that add up in the record.
func refunded() gangway.Booking {
	usd := func(n int64) gangway.Money { return gangway.Money{Minor: n, Currency: "USD"} }
	b := issued()
	b.Purpose.Metadata = map[string]string{"refund_total": "cannot hide ours"}
	b.Price = gangway.Price{}
	b.Payments = nil
	b.SetPrice(gangway.PriceOf(usd(40000), usd(8205), gangway.Money{}), at(0, 1, 10, 0))
	b.Change = &gangway.PendingChange{Was: gangway.Issued}
	b.SetPrice(gangway.PriceOf(usd(40890), usd(8205), usd(5000)), at(0, 1, 11, 0))
	b.Change, b.State = nil, gangway.RefundPending
	b.SetRefund(&gangway.Refund{Amount: usd(45090), AskedAt: at(0, 1, 12, 0)}, at(0, 1, 12, 0))
	return b
}

// packed is a booking with each way in which suppliers state baggage allowances,
// and with terminals, of which only that of arrival is part of the record.
func packed() gangway.Booking {
	b := issued()
	b.Itinerary.Segments[0].OriginTerminal, b.Itinerary.Segments[1].OriginTerminal = "1", "3"
	b.Itinerary.Segments[1].DestinationTerminal = ""
	b.Baggage = []gangway.Allowance{
		{Origin: "MNL", Destination: "AMS", Pieces: 1, WeightKg: 40, ByWeight: true}, // 40 kg in all
		{Origin: "AMS", Destination: "SVG", Pieces: 2},                               // of unknown weight
		{Origin: "SVG", Destination: "BGO"},                                          // none
		{Origin: "BGO", Destination: "OSL", Pieces: 1, WeightKg: 23},
	}
	return b
}

// Amounts are numbers with their currency's decimals, and unknown ones are left out.
func TestMoneyInMetadata(t *testing.T) {
	money := func(n int64, in string) gangway.Money { return gangway.Money{Minor: n, Currency: in} }
	for _, tt := range []struct {
		name   string
		state  gangway.State
		fees   gangway.Money
		refund *gangway.Refund
		want   string
	}{
		{"issued", gangway.Issued, gangway.Money{}, nil, `{}`},
		{"changed for a fee", gangway.Issued, money(5000, "USD"), nil, `{"change_fees":50.00}`},
		{"promised", gangway.RefundPending, gangway.Money{}, &gangway.Refund{Amount: money(30010, "USD")},
			`{"refund_ccy":"USD","refund_total":300.10}`},
		{"refund not known yet", gangway.RefundPending, money(5000, "USD"), &gangway.Refund{Unknown: true},
			`{"change_fees":50.00}`},
		{"nothing is refunded", gangway.Cancelled, gangway.Money{}, &gangway.Refund{Amount: money(0, "USD"),
			SettledAt: at(0, 2, 0, 0)}, `{"refund_ccy":"USD","refund_total":0.00}`},
		{"in yen", gangway.RefundPending, gangway.Money{}, &gangway.Refund{Amount: money(12000, "JPY")},
			`{"refund_ccy":"JPY","refund_total":12000}`},
		{"in dinars", gangway.RefundPending, gangway.Money{}, &gangway.Refund{Amount: money(12345, "KWD")},
			`{"refund_ccy":"KWD","refund_total":12.345}`},
		{"declined", gangway.Declined, gangway.Money{}, nil, `{}`},
		{"cancelled before it was paid", gangway.Cancelled, gangway.Money{}, nil, `{}`},
	} {
		b := bare()
		b.State, b.Refund, b.Price = tt.state, tt.refund, gangway.PriceOf(money(40000, "USD"), money(8205, "USD"),
			tt.fees)
		if !tt.fees.IsZero() {
			b.Payments = []gangway.Payment{{For: gangway.ForChange, Amount: tt.fees}}
		}
		doc := calltest.Must(wire.Booking(b, nil))(t)
		var got struct {
			Metadata map[string]json.RawMessage `json:"metadata"`
		}
		err := json.Unmarshal(doc, &got)
		delete(got.Metadata, "simulated")
		if money, _ := json.Marshal(got.Metadata); err != nil || string(money) != tt.want {
			t.Errorf("%s: metadata is %s, %v; want %s", tt.name, got.Metadata, err, tt.want)
		}
	}
}

// declined is a booking of the simulated network that an approver declined.
func declined() gangway.Booking {
	b := issued()
	b.State, b.Previous, b.Simulated, b.Tickets = gangway.Declined, gangway.ApprovalRequired, true, nil
	b.Approval = &gangway.Approval{Why: "every booking needs approval", Reason: "Take the train.",
		DecidedBy: "ben@example.com"}
	hide := map[string]string{"simulated": "no", "sequence": "9", "previous_state": "lost",
		"reject_reason": "cannot hide ours"}
	b.Purpose.Metadata, b.Purpose.CustomFields = hide, hide
	b.Purpose.FlightIDs = hide
	return b
}

// A record says by which action, and from which state, its booking got into its state.
func TestStandingInMetadata(t *testing.T) {
	log := []gangway.Action{{Seq: 1, Name: gangway.Confirmed}, {Seq: 2, Name: gangway.Issued}}
	first, second := bare(), bare()
	second.State, second.Previous = gangway.Issued, gangway.Confirmed
	waits := bare()
	waits.State, waits.Approval = gangway.ApprovalRequired, &gangway.Approval{Why: "every booking needs approval"}
	test := bare()
	test.Supplier, test.Simulated = "duffel", true
	for _, tt := range []struct {
		name    string
		booking gangway.Booking
		actions []gangway.Action
		want    string
	}{
		{"the first action has no previous state", first, log[:1], `{"sequence":1,"simulated":false}`},
		{"a push describes its action", second, log[1:2],
			`{"previous_state":"confirmed","sequence":2,"simulated":false}`},
		{"a pull describes its last action", second, log[:2],
			`{"previous_state":"confirmed","sequence":2,"simulated":false}`},
		{"nobody has declined yet", waits, log[:1], `{"sequence":1,"simulated":false}`},
		{"a supplier's test mode", test, log[:1], `{"sequence":1,"simulated":true}`},
	} {
		doc := calltest.Must(wire.Booking(tt.booking, tt.actions))(t)
		var got struct {
			Metadata json.RawMessage `json:"metadata"`
		}
		if err := json.Unmarshal(doc, &got); err != nil || string(got.Metadata) != tt.want {
			t.Errorf("%s: metadata is %s, %v; want %s", tt.name, got.Metadata, err, tt.want)
		}
	}
}

// Booking records match the golden ones, letter by letter.
func TestBookingRecord(t *testing.T) {
	actions := []gangway.Action{{Seq: 1, Name: gangway.Confirmed, At: at(0, 1, 9, 0), By: "ana@example.com"},
		{Seq: 2, Name: gangway.Issued, At: at(0, 1, 10, 0), By: gangway.System}}
	pulled := issued()
	pulled.Previous = gangway.Confirmed
	for name, record := range map[string]struct {
		booking gangway.Booking
		actions []gangway.Action
	}{
		"push.json":      {issued(), actions[1:]},
		"pull.json":      {pulled, actions},
		"bare.json":      {bare(), actions[:1]},
		"attention.json": {lost(), actions[:1]},
		"refunded.json":  {refunded(), actions[1:]},
		"declined.json": {declined(), []gangway.Action{{Seq: 2, Name: gangway.Declined, At: at(0, 1, 10, 0),
			By: "ben@example.com"}}},
		"packed.json": {packed(), actions[1:]},
	} {
		got := calltest.Must(wire.Booking(record.booking, record.actions))(t)
		if again, _ := wire.Booking(record.booking, record.actions); !bytes.Equal(got, again) {
			t.Errorf("%s: the same booking and actions gave different bytes", name)
		}
		if bytes.Contains(got, []byte("must not leave")) {
			t.Errorf("%s: the record contains the passport number", name)
		}
		var pretty bytes.Buffer
		calltest.Done(t, json.Indent(&pretty, got, "", "  "))
		pretty.WriteByte('\n')
		file := filepath.Join("testdata", name)
		if *update {
			calltest.Done(t, os.WriteFile(file, pretty.Bytes(), 0o644))
		}
		want := calltest.Must(os.ReadFile(file))(t)
		if !bytes.Equal(pretty.Bytes(), want) {
			t.Errorf("%s is\n%s\nwant\n%s", name, pretty.Bytes(), want)
		}
	}
}
