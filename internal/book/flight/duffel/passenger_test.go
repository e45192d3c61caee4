package duffel

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
	"gangway/internal/world"
)

// A phone number is one with its country code.
func TestPhoneNumber(t *testing.T) {
	tests := []struct{ number, want string }{
		{"+31 20 555 0100", "+31205550100"},
		{"0031-20-555.0100", "+31205550100"},
		{"+44 (0)20 7946 0958", "+442079460958"},
		{"020 555 0100", ""},
		{"+0123456789", ""},
		{"+31", ""},
		{"+31 20 555 0100 ext 5", ""},
		{"", ""},
	}
	for _, tt := range tests {
		if got := phoneNumber(tt.number); got != tt.want {
			t.Errorf("phoneNumber(%q) = %q; want %q", tt.number, got, tt.want)
		}
	}
}

// Details that a traveller lacks are filled in where that is possible, and otherwise the hold is
// refused.
func TestPassenger(t *testing.T) {
	now := func() time.Time { return time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC) }
	whole := gangway.Traveller{LastName: "Santos", FirstName: "Maria", DOB: "1990-04-30", Gender: "F", DocCountry: "PH",
		DocNumber: "P7654321B", DocExpire: "2032-01-01", Email: "maria@example.com", Phone: "+63 2 8555 0100"}
	offer := wireOffer{Passengers: []wirePassenger{{ID: "pas_1"}}, DocumentTypes: []string{"passport"}}
	tests := []struct {
		name   string
		change func(*flight.HoldAsk, *wireOffer, *Seller)
		holds  func(passenger) bool // nil: refused
	}{
		{"all is known", func(*flight.HoldAsk, *wireOffer, *Seller) {}, func(p passenger) bool {
			return p.ID == "pas_1" && p.Title == "ms" && p.Gender == "f" && p.Phone == "+63285550100" &&
				p.Email == "maria@example.com" && len(p.Documents) == 1
		}},
		{"a man", func(a *flight.HoldAsk, _ *wireOffer, _ *Seller) {
			a.Passenger.Gender = "M"
		}, func(p passenger) bool { return p.Title == "mr" && p.Gender == "m" }},
		{"the booker's e-mail address stands in", func(a *flight.HoldAsk, _ *wireOffer, _ *Seller) {
			a.Passenger.Email = ""
		}, func(p passenger) bool { return p.Email == "desk@example.com" }},
		{"the agency's phone number stands in", func(a *flight.HoldAsk, _ *wireOffer, _ *Seller) {
			a.Passenger.Phone = "8555 0100"
		}, func(p passenger) bool { return p.Phone == "+31205550100" }},
		{"a passport that the airline does not take", func(_ *flight.HoldAsk, o *wireOffer, _ *Seller) {
			o.DocumentTypes = nil
		}, func(p passenger) bool { return len(p.Documents) == 0 }},
		{"an expired passport", func(a *flight.HoldAsk, _ *wireOffer, _ *Seller) {
			a.Passenger.DocExpire = "2026-11-02"
		}, func(p passenger) bool { return len(p.Documents) == 0 }},
		{"an airline that requires a passport", func(a *flight.HoldAsk, o *wireOffer, _ *Seller) {
			o.NeedsPassport, a.Passenger.DocExpire = true, "2026-11-02"
		}, nil},
		{"no gender", func(a *flight.HoldAsk, _ *wireOffer, _ *Seller) { a.Passenger.Gender = "" }, nil},
		{"no date of birth", func(a *flight.HoldAsk, _ *wireOffer, _ *Seller) { a.Passenger.DOB = "" }, nil},
		{"the booker's e-mail address stands in for a malformed one", func(a *flight.HoldAsk, _ *wireOffer,
			_ *Seller) {
			a.Passenger.Email = "maria at home"
		}, func(p passenger) bool { return p.Email == "desk@example.com" }},
		{"no e-mail address", func(a *flight.HoldAsk, _ *wireOffer, _ *Seller) {
			a.Passenger.Email, a.Contact = "", ""
		}, nil},
		{"no phone number", func(a *flight.HoldAsk, _ *wireOffer, s *Seller) {
			a.Passenger.Phone, s.phone = "", ""
		}, nil},
		{"an offer for two", func(_ *flight.HoldAsk, o *wireOffer, _ *Seller) {
			o.Passengers = make([]wirePassenger, 2)
		}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			seller, ask, of := &Seller{Duffel: &Duffel{Config: Config{Now: now}, phone: "+31205550100"}},
				flight.HoldAsk{Passenger: whole, Contact: "desk@example.com"}, offer
			tt.change(&ask, &of, seller)
			p, err := seller.passenger(ask, of)
			if tt.holds == nil {
				if err == nil || !refusedKind(err) || strings.Contains(err.Error(), whole.DocNumber) {
					t.Fatalf("passenger = %v; want a refusal", err)
				}
				return
			}
			if err != nil || !tt.holds(p) {
				t.Fatalf("passenger = %+v, %v", p, err)
			}
		})
	}
}

func refusedKind(err error) bool {
	k := gangway.KindOf(err)
	return k == gangway.Invalid || k == gangway.Conflict
}

// An offer about which the airline says little can be read; one that contradicts itself is left
// out.
func TestSparseOffer(t *testing.T) {
	const sparse = `{
		"id": "off_1", "expires_at": "2026-11-02T09:30:00.123456Z", "total_amount": "20500", "total_currency": "JPY", "base_amount": "20000", "base_currency": "JPY",
		"tax_amount": null, "tax_currency": null, "total_emissions_kg": null, "owner": {"iata_code": "NH"}, "private_fares": [], "passengers": [{"id": "pas_1", "fare_type": null}],
		"payment_requirements": {"requires_instant_payment": false, "payment_required_by": "2026-11-04T09:00:00Z", "price_guarantee_expires_at": null},
		"conditions": {"refund_before_departure": {"allowed": true, "penalty_amount": null, "penalty_currency": null}, "change_before_departure": null},
		"slices": [{"id": "sli_1", "origin": {"iata_code": "HND"}, "destination": {"iata_code": "ITM"}, "fare_brand_name": null, "segments": [{
			"origin": {"iata_code": "HND", "time_zone": "Asia/Tokyo"}, "destination": {"iata_code": "ITM", "time_zone": "Asia/Tokyo"},
			"origin_terminal": null, "destination_terminal": null, "departing_at": "2026-12-02T08:00:00", "arriving_at": "2026-12-02T09:05:00", "distance": null, "aircraft": null,
			"marketing_carrier": {"iata_code": null}, "marketing_carrier_flight_number": "15", "operating_carrier": {"iata_code": "NH"},
			"passengers": [{"cabin_class": "economy", "baggages": [{"type": "checked", "quantity": 2}]}]}]}]}`
	d := &Duffel{Config: Config{Now: func() time.Time {
		return time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)
	}, Factors: world.DefaultFactors()}}
	var w wireOffer
	if err := json.Unmarshal([]byte(sparse), &w); err != nil {
		t.Fatal(err)
	}
	o, err := d.read(w)
	if err != nil {
		t.Fatal(err)
	}
	if o.Price.Total.String() != "JPY 20500" || o.Price.Fare.String() != "JPY 20000" || o.Price.Taxes.String() !=
		"JPY 500" {
		t.Errorf("price %+v", o.Price)
	}
	if o.Terms.Cancellations != gangway.PaidCancel || !o.Terms.CancelFee.IsZero() || o.Terms.Changes !=
		gangway.NoChange {
		t.Errorf("terms %+v; want a refund at an unknown price, and no change", o.Terms)
	}
	if !o.PriceUntil.Equal(d.now()) || o.TicketBy.IsZero() {
		t.Errorf("the price is guaranteed until %s; want not at all", o.PriceUntil)
	}
	if s := o.Itinerary.Segments[0]; s.Carrier != "NH" || s.FlightNumber != "NH15" || s.DistanceKm == 0 ||
		o.Emissions.Method == "" || o.Emissions.CO2eKg <= 0 {
		t.Errorf("segment %+v, emissions %+v", s, o.Emissions)
	}
	bad := []struct{ name, was, is string }{
		{"a malformed amount", `"20500"`, `"lots"`},
		{"more decimals than the currency has", `"20500"`, `"20500.50"`},
		{"a malformed time", `T08:00:00`, `T8`},
		{"a landing before the take-off", `T09:05:00`, `T07:05:00`},
		{"a flight without a number", `"15"`, `""`},
		{"no airline", `{"iata_code": "NH"},
			"passengers"`, `{"iata_code": null},
			"passengers"`},
		{"no flights", `"segments": [{`, `"segments": [], "x": [{`},
	}
	for _, tt := range bad {
		t.Run(tt.name, func(t *testing.T) {
			var w wireOffer
			changed := strings.Replace(sparse, tt.was, tt.is, 1)
			if changed == sparse {
				t.Fatal("nothing was changed")
			}
			if err := json.Unmarshal([]byte(changed), &w); err != nil {
				t.Fatal(err)
			}
			if _, err := d.read(w); err == nil {
				t.Error("it could be read")
			}
		})
	}
}

// Of several flights the smallest baggage allowance counts.
func TestBaggage(t *testing.T) {
	flights := func(bags ...int) wireSlice {
		var s wireSlice
		for _, n := range bags {
			text := `{"origin": {"iata_code": "MNL"}, "destination": {"iata_code": "AMS"}, "passengers": [{"baggages": [{"type": "carry_on", "quantity": 1}, {"type": "checked", "quantity": ` + string(rune('0'+n)) + `}]}]}`
			if n < 0 {
				text = `{"origin": {"iata_code": "MNL"}, "destination": {"iata_code": "AMS"}, "passengers": [{"baggages": []}]}`
			}
			var seg wireSegment
			if err := json.Unmarshal([]byte(text), &seg); err != nil {
				t.Fatal(err)
			}
			s.Segments = append(s.Segments, seg)
		}
		return s
	}
	got := baggage([]wireSlice{flights(2, 1), flights(2, -1), flights(2)})
	if len(got) != 2 || got[0].Pieces != 1 || got[1].Pieces != 2 {
		t.Errorf("baggage = %+v; want 1 piece, unknown, 2 pieces", got)
	}
}

// Small moves of the same flights need no decision.
func TestMoved(t *testing.T) {
	at := func(h, m int) time.Time { return time.Date(2026, 12, 2, h, m, 0, 0, time.UTC) }
	was := gangway.Itinerary{Segments: []gangway.Segment{
		{FlightNumber: "ZZ1", Origin: "MNL", Destination: "DXB", Departure: at(6, 0), Arrival: at(9, 0)},
		{FlightNumber: "ZZ2", Origin: "DXB", Destination: "AMS", Departure: at(10, 0), Arrival: at(16, 0)},
	}}
	tests := []struct {
		name   string
		change func(s []gangway.Segment)
		minor  bool
	}{
		{"a few minutes earlier", func(s []gangway.Segment) {
			s[0].Departure, s[0].Arrival = at(5, 45), at(8, 45)
		}, true},
		{"a later onward flight", func(s []gangway.Segment) {
			s[1].Departure, s[1].Arrival = at(10, 20), at(16, 20)
		}, true},
		{"a connection becomes shorter", func(s []gangway.Segment) {
			s[0].Departure, s[0].Arrival = at(6, 15), at(9, 15)
		}, false},
		{"hours later", func(s []gangway.Segment) { s[1].Departure, s[1].Arrival = at(14, 0), at(20, 0) }, false},
		{"another flight at the same time", func(s []gangway.Segment) { s[1].FlightNumber = "ZZ9" }, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := gangway.Itinerary{Segments: append([]gangway.Segment(nil), was.Segments...)}
			tt.change(is.Segments)
			if why, minor := moved(was, is); minor != tt.minor || why == "" {
				t.Errorf("moved = %q, minor %t; want minor %t", why, minor, tt.minor)
			}
		})
	}
	if _, minor := moved(was, gangway.Itinerary{Segments: was.Segments[:1]}); minor {
		t.Error("fewer flights are not minor")
	}
}
