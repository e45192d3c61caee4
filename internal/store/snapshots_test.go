package store_test

import (
	"encoding/json"
	"strings"
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/store"
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
		db, err := store.Open(t.Context(), url)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
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

// TestSnapshotsOfBefore migrates a database whose snapshots contain passports.
func TestSnapshotsOfBefore(t *testing.T) {
	storetest.EachEmptyURL(t, func(t *testing.T, url string) {
		var b gangway.Booking
		passported(&b)
		b.ID, b.Locator, b.Price.Total.Minor = "a1", "ABCDEF", 12345
		snapshot, err := json.Marshal(b)
		if err != nil {
			t.Fatal(err)
		}
		makeBefore(t, url, 16, `
			INSERT INTO customer (id, name, created_at) VALUES ('c', 'Halcyon Tankers', 0);
			INSERT INTO account (id, customer, environment, settings) VALUES ('a', 'c', 'production', '{}');
			INSERT INTO action (account, booking, seq, name, at, by_whom, note, snapshot) VALUES
				('a', 'a1', 1, 'confirmed', 100, 'ana', '', '`+string(snapshot)+`'),
				('a', 'a2', 1, 'confirmed', 200, 'ana', '', '{"id":"a2"}');`)
		db, err := store.Open(t.Context(), url)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		wantPassenger(t, url, "a1", 1, recordedOf)
		list := []store.PulledBooking{{Booking: "a1", Actions: []gangway.Action{{Seq: 1}}},
			{Booking: "a2", Actions: []gangway.Action{{Seq: 1}}}}
		got, err := db.In(gangway.Scope{Account: "a"}).Snapshots(t.Context(), list)
		if err != nil || len(got) != 2 || got[0].Locator != "ABCDEF" || got[0].Price.Total.Minor != 12345 ||
			got[1].ID != "a2" {
			t.Fatalf("Snapshots = %+v, %v; want the rest as it was", got, err)
		}
	})
}

// TestPersonalDataMigratedAfterAKill holds that the next start continues a
// migration of personal data that was killed half-way on PostgreSQL, where it is
// not a single transaction.
func TestPersonalDataMigratedAfterAKill(t *testing.T) {
	url := storetest.PostgresURL(t)
	makeBefore(t, url, 16, `
		INSERT INTO customer (id, name, created_at) VALUES ('c', 'Halcyon Tankers', 0);
		INSERT INTO account (id, customer, environment, settings) VALUES ('a', 'c', 'production', '{}');
		INSERT INTO action (account, booking, seq, name, at, by_whom, note, snapshot)
			SELECT 'a', 'a' || n % 7, n, 'confirmed', 100, 'ana', '', '{"passenger":{"id":"E4711","dob":"1988-04-07","doc_number":"C01X00T47"}}'
			FROM generate_series(1, 4500) n;
		UPDATE action SET snapshot = '{"passenger":{"id":"E4711"}}' WHERE booking < 'a3';
		ALTER TABLE booking ADD COLUMN erased_at BIGINT NOT NULL DEFAULT 0;
		CREATE INDEX booking_to_erase ON booking (account, departs, id) WHERE erased_at = 0;
		ALTER TABLE traveller ADD COLUMN seen_at BIGINT NOT NULL DEFAULT 0;`)
	db, err := store.Open(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var left int
	err = raw(t, url).QueryRowContext(t.Context(),
		`SELECT count(*) FROM action WHERE snapshot LIKE '%C01X00T47%' OR snapshot NOT LIKE '%E4711%'`).Scan(&left)
	if err != nil || left != 0 {
		t.Errorf("%d snapshots are not as they should be, %v", left, err)
	}
}

// wantPassenger checks the passenger in the snapshot that is stored after an action.
func wantPassenger(t *testing.T, url, booking string, seq int, want string) {
	t.Helper()
	var doc string
	err := raw(t, url).QueryRowContext(t.Context(), `SELECT snapshot FROM action WHERE booking = $1 AND seq = $2`,
		booking, seq).Scan(&doc)
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Passenger map[string]any `json:"passenger"`
	}
	var wanted map[string]any
	if err := json.Unmarshal([]byte(doc), &got); err != nil {
		t.Fatal(err)
	}
	json.Unmarshal([]byte(want), &wanted)
	a, _ := json.Marshal(got.Passenger)
	w, _ := json.Marshal(wanted)
	if string(a) != string(w) || strings.Contains(doc, "C01X00T47") {
		t.Fatalf("snapshot %d keeps of the passenger %s; want %s", seq, a, w)
	}
}
