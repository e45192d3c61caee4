package store_test

import (
	"encoding/json"
	"strings"
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/store/storetest"
)

// passported sets every field of the passenger.
func passported(b *gangway.Booking) {
	b.Passenger = gangway.Traveller{
		ID: "E4711", LastName: "Müller", FirstName: "Jörg", DOB: "1988-04-07", Nationality: "DE", Gender: "M",
		DocCountry: "DE", DocNumber: "C01X00T47",
		DocExpire: "2031-02-03", HomeAirport: "HAM", Email: "joerg@example.org", Phone: "+49 40 5550199",
		OnTicket: gangway.TicketName{Last: "MULLER"}, FrequentFlyer: gangway.FrequentFlyer{Airline: "LH",
			Number: "992000111222"}, Extra: json.RawMessage(`{"shoe":"44"}`),
	}
}

// recordedOf is everything that a snapshot keeps of passported's passenger.
const recordedOf = `{"id":"E4711","last_name":"Müller","first_name":"Jörg","nationality":"DE","on_ticket":{"last":"MULLER"}}`

func TestSnapshotsHaveNoPassport(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		db := openURL(t, url)
		in := db.In(storetest.Account(t, db).Scope())
		createBooking(t, in, "a1", passported)
		b, err := in.UpdateBooking(t.Context(), "a1", "", issue)
		if err != nil || b.Passenger.DocNumber != "C01X00T47" {
			t.Fatalf("booking = %+v, %v; want it with the passport", b.Passenger, err)
		}
		for seq := 1; seq <= 2; seq++ {
			wantPassenger(t, url, "a1", seq, recordedOf)
		}
	})
}

// wantPassenger checks the passenger in the snapshot that is stored after an action.
func wantPassenger(t *testing.T, url, booking string, seq int, want string) {
	t.Helper()
	var doc string
	err := raw(t, url).QueryRowContext(t.Context(), `SELECT snapshot FROM action WHERE booking = $1 AND seq = $2`,
		booking, seq).Scan(&doc)
	must(t, err)
	var got struct {
		Passenger map[string]any `json:"passenger"`
	}
	var wanted map[string]any
	must(t, json.Unmarshal([]byte(doc), &got))
	json.Unmarshal([]byte(want), &wanted)
	a, _ := json.Marshal(got.Passenger)
	w, _ := json.Marshal(wanted)
	if string(a) != string(w) || strings.Contains(doc, "C01X00T47") {
		t.Fatalf("snapshot %d keeps of the passenger %s; want %s", seq, a, w)
	}
}
