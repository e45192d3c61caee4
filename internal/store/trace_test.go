package store_test

import (
	"fmt"
	"strings"
	"testing"

	"gangway/internal/erasure"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// trace writes the traces of everything that has none.
func trace(t *testing.T, db *store.DB) {
	t.Helper()
	for {
		if some, err := db.Trace(t.Context()); err != nil {
			t.Fatal(err)
		} else if !some {
			return
		}
	}
}

// TestErasePlans holds that an erasure reads the person's records by index, and
// not the whole account, and that records to be traced and old records are also
// found by index.
func TestErasePlans(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		db := openURL(t, url)
		in := db.In(storetest.Account(t, db).Scope())
		beside := raw(t, url)
		fillBookings(t, beside, in.Scope().Account)
		// the rows are copied to more tables, so fewer will do
		must(t, did(beside.ExecContext(t.Context(), `DELETE FROM booking WHERE created_at > $1`, 5000*60000)))
		for _, s := range []string{
			`INSERT INTO traveller (account, key, surname, given, doc, version) SELECT account, 'id:' || id, passenger, '', '{}', 1 FROM booking`,
			`INSERT INTO travel_request (account, request_id, sub_request_id, starts, hotel_from, vessel, doc, version) SELECT account, id, '', departs, '', '', '{}', 1 FROM booking`,
			`INSERT INTO crew_change (account, key, vessel, change_date, doc, version) SELECT account, id, vessel, departs, '{}', 1 FROM booking`,
			`INSERT INTO delivery (account, outlet, booking, seq, id, state, made_at, done_at, attempts) SELECT account, 'push', id, 1, id, 'done', 0, 0, 1 FROM booking`,
			`INSERT INTO attempt (account, outlet, booking, seq, at, took_ms, status, answer) SELECT account, 'push', id, 1, 0, 0, 200, 'ok' FROM booking`,
			`INSERT INTO search (account, id, by_whom, created_at, doc) SELECT account, id, '', 0, '{}' FROM booking`,
			`INSERT INTO intent (account, id, booking, slot, kind, by_whom, doc, open, outcome, created_at, lease) SELECT account, id, id, '', 'book', '', '{}', 0, '', 0, 0 FROM booking`,
			`INSERT INTO batch (account, id, kind, search, by_id, by_whom, by_name, created_at, pending, lease, holder) SELECT account, id, 'book', '', '', '', '', 0, 0, 0, '' FROM booking`,
			`INSERT INTO batch_item (account, batch, booking, place, member, doc, state, outcome, traced) SELECT account, id, id, 0, 0, '{}', 'done', '', 1 FROM booking`,
			`UPDATE traveller SET traced = 1`, `UPDATE travel_request SET traced = 1`,
			`UPDATE crew_change SET traced = 1`,
			`UPDATE search SET traced = 1`, `UPDATE booking SET traced = 1`, `UPDATE intent SET traced = 1`,
			`INSERT INTO traveller_trace (account, key, mark) SELECT account, key, row_number() OVER () FROM traveller`,
			`INSERT INTO travel_request_trace (account, request_id, sub_request_id, mark) SELECT account, request_id, sub_request_id, row_number() OVER () FROM travel_request`,
			`INSERT INTO crew_change_trace (account, key, mark) SELECT account, key, row_number() OVER () FROM crew_change`,
			`INSERT INTO search_trace (account, id, mark) SELECT account, id, row_number() OVER () FROM search`,
			`INSERT INTO booking_trace (account, id, mark) SELECT account, id, row_number() OVER () FROM booking`,
			`INSERT INTO intent_trace (account, id, mark) SELECT account, id, row_number() OVER () FROM intent`,
			`INSERT INTO batch_item_trace (account, batch, booking, mark) SELECT account, batch, booking, row_number() OVER () FROM batch_item`,
			`VACUUM`, `ANALYZE`,
		} {
			if _, err := beside.ExecContext(t.Context(), s); err != nil {
				t.Fatalf("%v in %s", err, s)
			}
		}
		explain := explainSQLite
		if strings.HasPrefix(url, "postgres") {
			explain = explainPostgres
		}
		if plan := explain(t, db.Reader(), store.OldSearches()); !strings.Contains(plan, "search_old") ||
			!strings.Contains(plan, "booking_of_search") {
			t.Errorf("old searches are not read by the index on when they were made:\n%s", plan)
		}
		for name, s := range in.EraseStatements() {
			plan := strings.ReplaceAll(explain(t, db.Reader(), s), "SCAN 2-ROW VALUES CLAUSE", "") // the arguments
			for _, bad := range []string{"SCAN ", "TEMP B-TREE", "Seq Scan", "Sort", "Hash"} {
				if strings.Contains(strings.ReplaceAll(plan, "HashAggregate", ""), bad) &&
					!(bad == "SCAN " && strings.HasPrefix(name, "to trace") && strings.Contains(plan, "_untraced")) {
					t.Errorf("%s: %s in\n%s\n%s", name, bad, s.Text, plan)
				}
			}
		}
	})
}

// TestTraceInPortions holds that hundreds of records get their traces at a time,
// and that a record that somebody else has locked does not delay the others and
// gets its traces afterwards.
func TestTraceInPortions(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		db := openURL(t, url)
		in := db.In(storetest.Account(t, db).Scope())
		var crew []gangway.Traveller
		for i := range 600 {
			crew = append(crew, person(fmt.Sprintf("%03d", i), "Santos", fmt.Sprint("Maria", i)))
		}
		must(t, did(in.UpsertTravellers(t.Context(), crew)))
		want := func(traced ...int) {
			t.Helper()
			for _, n := range traced {
				if some, err := db.Trace(t.Context()); err != nil || !some {
					t.Fatalf("Trace = %v, %v; want some", some, err)
				}
				var got int
				if err := raw(t, url).QueryRowContext(t.Context(),
					`SELECT count(*) FROM traveller WHERE traced = version`).Scan(&got); err != nil || got != n {
					t.Fatalf("%d travellers are traced, %v; want %d", got, err, n)
				}
			}
			if some, err := db.Trace(t.Context()); err != nil || some {
				t.Fatalf("Trace = %v, %v; want nothing more", some, err)
			}
		}
		if strings.HasPrefix(url, "postgres") {
			busy := sure(raw(t, url).BeginTx(t.Context(), nil))(t)
			defer busy.Rollback()
			must(t, did(busy.ExecContext(t.Context(),
				`UPDATE traveller SET version = version WHERE key = 'id:007'`)))
			want(500, 599)
			must(t, busy.Rollback())
			want(600)
		} else {
			want(500, 600)
		}
		crew[3].FirstName, crew[4].Phone = "Ana", "1"
		must(t, did(in.UpsertTravellers(t.Context(), crew)))
		want(600)
		for _, who := range crew[3:5] {
			if _, err := in.EraseTraveller(t.Context(), storetest.Operator, erasure.DataSubject{Name: who.LastName +
				" " + who.FirstName, DOB: who.DOB}, noon, nil); err != nil {
				t.Errorf("%s %s is not found by what was sent last: %v", who.FirstName, who.LastName, err)
			}
		}
		var marks int
		if err := raw(t, url).QueryRowContext(t.Context(),
			`SELECT count(*) FROM traveller_trace WHERE key IN ('id:003', 'id:004')`).Scan(&marks); err != nil ||
			marks != 0 {
			t.Errorf("%d traces are left of those who were erased, %v", marks, err)
		}
	})
}

// TestErasedByTraces holds that a person's records are found whether they have
// traces or were written just now, and however the name is spelt where the
// identifier is right, and that no trace outlives its record.
func TestErasedByTraces(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		db := openURL(t, url)
		in := db.In(storetest.Account(t, db).Scope())
		maria := gangway.Traveller{ID: "E1", LastName: "Santos", FirstName: "Maria", DOB: "1990-01-02",
			DocCountry: "PH", DocNumber: "P1234567A"}
		misspelt, nameless, byPassport, other := maria, maria, maria, maria
		misspelt.LastName, misspelt.DocNumber = "Sanctos", ""
		nameless.ID, nameless.DocNumber = "", ""
		byPassport.ID, byPassport.LastName = "", "Santos de la Cruz"
		other.ID, other.DocNumber, other.DOB, other.LastName = "E2", "P7654321A", "1991-01-02", "Reyes"
		upload := func(id string, list ...gangway.Traveller) {
			t.Helper()
			var requests []gangway.TravelRequest
			for i, who := range list {
				requests = append(requests, gangway.TravelRequest{RequestID: fmt.Sprint(id, i), Traveller: who})
			}
			must(t, did(in.UpsertTravelRequests(t.Context(), requests)))
		}
		must(t, did(in.UpsertTravellers(t.Context(), []gangway.Traveller{maria, other})))
		upload("R", maria, misspelt, nameless, byPassport, other, other)
		createBooking(t, in, "a1", func(b *gangway.Booking) { b.Passenger = misspelt })
		cancel := func(b *gangway.Booking) (gangway.Action, error) {
			return b.Move(gangway.Cancel, "ana@example.com", noon)
		}
		must(t, did(in.UpdateBooking(t.Context(), "a1", "", cancel)))
		crew := gangway.CrewChange{TravelRequestID: "CC", Vessel: "Nordlys",
			OnSigners: []gangway.CrewMember{{Traveller: byPassport}, {Traveller: other}}}
		must(t, did(in.UpsertCrewChanges(t.Context(), []gangway.CrewChange{crew}, noon)))
		search := gangway.Search{ID: "s1", By: "ana@example.com", CreatedAt: noon,
			Members: []gangway.SearchMember{{Traveller: other}, {Traveller: nameless}}}
		must(t, in.SaveSearch(t.Context(), search))
		trace(t, db)
		upload("N", misspelt)   // has no traces
		upload("R", other)      // is somebody else's by now
		upload("Q", maria)      // has no traces, and
		upload("Q", byPassport) // is changed before it gets any
		e, err := in.EraseTraveller(t.Context(), storetest.Operator, erasure.DataSubject{DocCountry: "PH",
			DocNumber: "p1234567a"}, noon, nil)
		if err != nil || e.Travellers != 1 || e.Requests != 5 || e.CrewChanges != 1 || e.Searches != 1 ||
			e.Bookings != 1 {
			t.Errorf("EraseTraveller = %+v, %v; want 5 requests and one of everything else", e, err)
		}
		trace(t, db)
		if _, err := in.EraseTraveller(t.Context(), storetest.Operator, erasure.DataSubject{ID: "E1"}, noon,
			nil); gangway.KindOf(err) != gangway.NotFound {
			t.Errorf("once more: %v; want NotFound", err)
		}
		for table, want := range map[string]int{"traveller": 3, "travel_request": 9, "crew_change": 3, "search": 3,
			"booking": 0, "intent": 0, "batch_item": 0} {
			var n int
			if err := raw(t, url).QueryRowContext(t.Context(), `SELECT count(*) FROM `+table+`_trace`).Scan(&n); err !=
				nil || n != want {
				t.Errorf("%s has %d traces, %v; want %d, those of the other traveller", table, n, err, want)
			}
		}
	})
}

// TestSamePassport finds who else has a passport, however its number is spaced.
func TestSamePassport(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		in := db.In(storetest.Account(t, db).Scope())
		person := func(id, country, number string) gangway.Traveller {
			return gangway.Traveller{ID: id, LastName: "Santos", FirstName: "Maria",
				DocCountry: gangway.Country(country), DocNumber: number}
		}
		maria := person("C-1", "PH", "P1234567A")
		_, err := in.UpsertTravellers(t.Context(), []gangway.Traveller{maria, person("C-2", "PH", "P123 4567-A"),
			person("C-3", "NO", "P1234567A"), person("C-4", "PH", "P7654321A"), person("", "PH", "P1234567A")})
		must(t, err)
		trace(t, db)
		got, err := in.SamePassport(t.Context(), maria)
		if err != nil || len(got) != 1 || got[0].ID != "C-2" {
			t.Fatalf("SamePassport = %+v, %v; want C-2 alone", got, err)
		}
		if got, err := in.SamePassport(t.Context(), person("", "PH", "P1234567A")); err != nil || len(got) != 0 {
			t.Fatalf("SamePassport of somebody without an identifier = %+v, %v; want nobody", got, err)
		}
	})
}
