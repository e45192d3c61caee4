package store_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"gangway/internal/erasure"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

func TestEraseTraveller(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		account := storetest.Account(t, db)
		in := db.In(account.Scope())
		maria := gangway.Traveller{ID: "E1", LastName: "Santos", FirstName: "Maria", DOB: "1990-01-02",
			DocCountry: "PH", DocNumber: "P1234567A"}
		other := gangway.Traveller{ID: "E2", LastName: "Santos", FirstName: "Jun", DOB: "1991-01-02", DocCountry: "PH",
			DocNumber: "P7654321A"}
		must(t, did(in.UpsertTravellers(t.Context(), []gangway.Traveller{maria, other})))
		requests := []gangway.TravelRequest{{RequestID: "other", Traveller: other}}
		for i := range 1200 { // more than fit in one transaction
			requests = append(requests, gangway.TravelRequest{RequestID: fmt.Sprint("R", i), Traveller: maria})
		}
		must(t, did(in.UpsertTravelRequests(t.Context(), requests)))
		must(t, did(in.BeginOnce(t.Context(), "A1", "once", "hash", noon)))
		must(t, in.EndOnce(t.Context(), "A1", "once",
			[]byte(`{"received":1,"warnings":{"[0].LastName":["MARIA cannot be spelt, nor “Maria”"]}}`)))
		clock := func() time.Time { return noon }
		must(t, db.Sessions(clock).CommitCtx(t.Context(), "token", []byte(`{"maria":"Santos, Maria is corrected."}`),
			noon.AddDate(0, 0, 1)))
		i := store.Intent{ID: "i1", Booking: "i1", Supplier: "duffel", Kind: "book",
			Doc:       []byte(`{"booking":{"passenger":{"id":"E1","last_name":"Santos","first_name":"Maria"}}}`),
			CreatedAt: noon, Lease: noon}
		must(t, in.BeginBooking(t.Context(), i, store.Hold{Search: "s", Traveller: maria}))
		must(t, in.Ledger().Save(t.Context(), gangway.Document{ID: "duffel-order-i1", Reference: "i1",
			Doc: []byte(`{"buy":"Maria"}`), Version: 1}))
		forget := func(supplier string, _ []byte, _ erasure.OwnValues) ([]byte, error) {
			return []byte(supplier + " has forgotten"), nil
		}
		erase := func() (store.Erased, error) {
			return in.EraseTraveller(t.Context(), storetest.Operator, erasure.DataSubject{ID: "E1"}, noon, forget)
		}

		wantKind(t, gangway.Conflict, did(erase()))
		must(t, in.CloseIntent(t.Context(), "i1", "Maria is too long"))
		e, err := erase()
		if err != nil || e.Travellers != 1 || e.Attempts != 1 || e.Requests != 1200 {
			t.Fatalf("EraseTraveller = %+v, %v; want everything there was", e, err)
		}
		if list, err := in.TravelRequests(t.Context(), "", "", "9999-12-31", 100); err != nil || len(list) != 1 ||
			list[0].RequestID != "other" {
			t.Errorf("travel requests: %d, %v; want only the other traveller's", len(list), err)
		}
		if _, err := in.Traveller(t.Context(), "id:E2"); err != nil {
			t.Errorf("the other traveller of that surname: %v", err)
		}
		answer, err := in.BeginOnce(t.Context(), "A1", "once", "hash", noon)
		if want := `{"received":1,"warnings":{"[0].LastName":["erased cannot be spelt, nor “erased”"]}}`; err != nil ||
			string(answer) != want {
			t.Errorf("the answer repeats as %s, %v; want %s", answer, err, want)
		}
		data, _, err := db.Sessions(clock).FindCtx(t.Context(), "token")
		if want := `{"maria":"erased, erased is corrected."}`; err != nil || string(data) != want {
			t.Errorf("the session has %s, %v; want %s", data, err, want)
		}
		if got, err := in.Intent(t.Context(), "i1"); err != nil || string(got.Doc) != "{}" || got.Outcome !=
			"the traveller was erased" {
			t.Errorf("the attempt to book is %s %q, %v; want it empty", got.Doc, got.Outcome, err)
		}
		if doc, version, err := in.Ledger().Load(t.Context(), "duffel-order-i1"); err != nil || string(doc) !=
			"duffel has forgotten" || version != 2 {
			t.Errorf("the supplier's document is %s, version %d, %v; want it without the traveller", doc, version, err)
		}
		list, err := db.Audit(t.Context(), store.AuditQuery{Customer: account.Customer.ID,
			What: gangway.TravellerErased}, 10)
		if err != nil || len(list) != 3 || list[0].By != storetest.Operator || strings.Contains(fmt.Sprint(list),
			"Maria") || strings.Contains(fmt.Sprint(list), "P1234567A") {
			t.Errorf("the audit log has %+v, %v; want who erased whom, by identifier, for each portion", list, err)
		}
		for i, want := range []map[string]any{
			{"finished": false, "records": 500.0}, {"finished": false, "records": 1000.0},
			{"finished": true, "records": float64(e.Rows())},
		} {
			if got := list[i].After; got["finished"] != want["finished"] || got["records"] != want["records"] {
				t.Errorf("entry %d has %v; want %v, what the erasure had erased by then", i, got, want)
			}
		}
	})
}

// TestEraseByDocument holds that a passport number finds all its records, however
// the number was typed in each: with traces and without.
func TestEraseByDocument(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		for _, typed := range []string{"XK7Q9ZP41", "XK7 Q9ZP41", "xk7-q9zp41"} {
			for _, traces := range []string{"written", "none"} {
				db := openURL(t, url)
				in := db.In(storetest.Account(t, db).Scope())
				var list []gangway.Traveller
				for _, number := range []string{"XK7Q9ZP41", "XK7 Q9ZP41", "XK7-Q9-ZP41"} {
					list = append(list, gangway.Traveller{LastName: "Santos", FirstName: "Maria", DOB: "1990-01-02",
						DocCountry: "PH", DocNumber: number})
				}
				list = append(list, gangway.Traveller{LastName: "Reyes", FirstName: "Jun", DOB: "1991-01-02",
					DocCountry: "PH", DocNumber: "XK7Q9ZP42"})
				if counts, err := in.UpsertTravellers(t.Context(), list); err != nil || counts.Created != 4 {
					t.Fatalf("created %+v, %v; want each number to be a record of its own, as it was sent", counts, err)
				}
				if traces != "none" {
					trace(t, db)
				}
				e, err := in.EraseTraveller(t.Context(), storetest.Operator, erasure.DataSubject{DocCountry: "PH",
					DocNumber: typed}, noon, nil)
				if err != nil || e.Travellers != 3 || len(e.Alike) > 0 {
					t.Errorf("%s, traces: %s: erased %+v, %v; want all three with that passport", typed, traces, e, err)
				}
			}
		}
	})
}

// TestEraseHandoffs holds that unclaimed hand-offs with the traveller are erased,
// even those that say less than the record does. One that may be about another
// customer's traveller is only reported.
func TestEraseHandoffs(t *testing.T) {
	maria := gangway.Traveller{ID: "E1", LastName: "Santos", FirstName: "Maria", DOB: "1990-01-02", DocCountry: "PH",
		DocNumber: "P1234567A"}
	handedOver := map[string]gangway.Traveller{
		"as on record":                     maria,
		"the identifier alone":             {ID: "E1"},
		"identifier and name":              {ID: "E1", LastName: "Santos", FirstName: "Maria"},
		"the passport without its country": {DocNumber: "P1234567A", LastName: "Santos", FirstName: "Maria"},
		"name and birth date":              {LastName: "Santos", FirstName: "Maria", DOB: "1990-01-02"},
		"the identifier of somebody else": {ID: "E1", LastName: "Reyes", FirstName: "Jun", DOB: "1980-05-06",
			DocCountry: "PH", DocNumber: "P7777777A"},
		"somebody else with the same name":   {ID: "X9", LastName: "Santos", FirstName: "Maria", DOB: "1990-01-02"},
		"somebody else with another name":    {ID: "E2", LastName: "Cruz", FirstName: "Ana"},
		"nobody, as a form may be left bare": {},
	}
	stay := []string{"nobody, as a form may be left bare", "somebody else with another name",
		"somebody else with the same name", "the identifier of somebody else"}
	alike := []string{"id E1 in a hand-off that nobody has claimed", "id X9 in a hand-off that nobody has claimed"}
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		in := db.In(storetest.Account(t, db).Scope())
		must(t, did(in.UpsertTravellers(t.Context(), []gangway.Traveller{maria})))
		for name, traveller := range handedOver {
			doc, err := json.Marshal(
				map[string]any{"change": gangway.CrewChange{OnSigners: []gangway.CrewMember{{Traveller: traveller}}}})
			must(t, err)
			must(t, db.SaveHandoff(t.Context(), name, "192.0.2.1/32", doc, store.DefaultHandoffCapacity, noon))
		}
		e, err := in.EraseTraveller(t.Context(), storetest.Operator, erasure.DataSubject{ID: "E1"}, noon, nil)
		slices.Sort(e.Alike)
		if err != nil || e.HandOffs != len(handedOver)-len(stay) || !slices.Equal(e.Alike, alike) {
			t.Errorf("EraseTraveller = %+v, %v; want %d hand-offs erased, and %q reported", e, err, len(handedOver)-
				len(stay), alike)
		}
		for name := range handedOver {
			_, err := in.ClaimHandoff(t.Context(), name, noon, func([]byte) (gangway.Search, error) {
				return gangway.Search{ID: name, CreatedAt: noon}, nil
			})
			if stays := slices.Contains(stay, name); (err == nil) != stays {
				t.Errorf("the hand-off with %s is claimed: %v; want it there: %t", name, err, stays)
			}
		}
	})
}

// TestUploadWhileErasing holds that an upload that arrives while a traveller is
// being erased does not keep the traveller as a dropped member.
func TestUploadWhileErasing(t *testing.T) {
	url := storetest.PostgresURL(t)
	db := openURL(t, url)
	in := db.In(storetest.Account(t, db).Scope())
	c := change("C1", "Nordlys", "2026-12-01")
	must(t, did(in.UpsertCrewChanges(t.Context(), []gangway.CrewChange{c}, storetest.Began)))
	conn, watching := connect(t, url), connect(t, url)
	erasing := sure(conn.Begin(t.Context()))(t)
	must(t, did(erasing.Exec(t.Context(),
		`UPDATE crew_change SET doc = replace(doc, 'Reyes', 'erased'), version = version + 1`)))
	sent := make(chan error)
	go func() {
		later := change("C1", "Nordlys", "2026-12-01")
		later.OnSigners[0].Traveller = person("3", "Diaz", "Eva")
		_, err := in.UpsertCrewChanges(t.Context(), []gangway.CrewChange{later}, storetest.Began)
		sent <- err
	}()
	untilSomebodyWaits(t, watching) // the upload, for the row
	must(t, erasing.Commit(t.Context()))
	must(t, <-sent)
	now, err := in.CrewChange(t.Context(), "id:C1")
	if err != nil || len(now.Dropped) != 1 {
		t.Fatalf("CrewChange = %+v, %v; want one dropped member", now, err)
	}
	if name := now.Dropped[0].Traveller.LastName; name != "erased" {
		t.Errorf("%s was erased, and is kept as a dropped member", name)
	}
}

// TestErasedFromEveryColumn erases somebody whose values were typed into what
// bookings are found by, and looks at each column of each table.
func TestErasedFromEveryColumn(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		db := openURL(t, url)
		in := db.In(storetest.Account(t, db).Scope())
		who := gangway.Traveller{ID: "E-77", LastName: "Runztt", FirstName: "Ilja", DOB: "1979-10-07", DocCountry: "RU",
			DocNumber: "RU77019"}
		createBooking(t, in, "a1", func(b *gangway.Booking) {
			const typed = "Runztt Ilja RU77019 07.10.1979"
			b.Passenger, b.PNRs, b.Agency = who, []string{"RU77019", "ABC234"}, typed
			b.Purpose = gangway.Purpose{Vessel: "Nordlys " + typed, Change: "on:" + typed, RequestID: typed,
				SubRequestID: typed, TravelRequestID: typed, FlightIDs: map[string]string{"MNL-SIN_flight_id": typed}}
			b.Invoices = []gangway.Invoice{{Number: typed}}
		})
		createBooking(t, in, "a2", nil)
		const named = "on:Runztt Ilja RU77019 07.10.1979"
		for id, l := range map[string]store.SharedLink{"l1": {Booking: "a1"}, "l2": {Change: named},
			"l3": {Booking: "a2"}} {
			l.ID, l.At = id, noon
			must(t, in.MakeLink(t.Context(), storetest.Operator, l, id))
		}
		for id, change := range map[string]string{"s1": named, "s2": "id:CC-1"} {
			must(t, in.BeginList(t.Context(), storetest.Operator, store.AgentList{ID: id, Change: change,
				Stamp: gangway.Stamp{At: noon}, Rows: map[string]string{"a1": "Runztt Ilja", "a2": "Müller Jörg"}}))
		}
		cancel := func(b *gangway.Booking) (gangway.Action, error) {
			return b.Move(gangway.Cancel, "ana@example.com", noon)
		}
		must(t, did(in.UpdateBooking(t.Context(), "a1", "", cancel)))
		said := func() string { return everyColumn(t, url) }
		if before := said(); strings.Count(before, "runztt") < 10 {
			t.Fatalf("the test looks at too few columns: %s", before)
		}
		must(t, did(in.EraseTraveller(t.Context(), storetest.Operator, erasure.DataSubject{ID: "E-77"}, noon,
			nil)))
		after := said()
		if !strings.Contains(after, "shared_link.id l3") || !strings.Contains(after, "agent_list_row.words müller") {
			t.Error("another traveller's link or row is gone")
		}
		for _, word := range []string{"runztt", "ilja", "ru77019", "1979"} {
			if i := strings.Index(after, word); i >= 0 {
				t.Errorf("%q is left: …%s…", word, after[max(0, i-80):min(len(after), i+40)])
			}
		}
		for _, q := range []store.BookingQuery{{Vessel: "nordlys erased"}, {Vessel: "nordlys"}} {
			if list, _, err := in.Bookings(t.Context(), q); err != nil || len(list) == 0 {
				t.Errorf("the vessel %q has %d bookings, %v; want those of that name", q.Vessel, len(list), err)
			}
		}
	})
}

// everyColumn is everything in the database, in lower case, but for the time of each migration: the clock's
// microseconds may have any digits.
func everyColumn(t *testing.T, url string) string {
	t.Helper()
	var all strings.Builder
	db := raw(t, url)
	for _, judged := range store.JudgedColumns() {
		table, column, _ := strings.Cut(judged, ".")
		if judged == "goose_db_version.tstamp" {
			continue
		}
		rows, err := db.QueryContext(t.Context(), `SELECT CAST(`+column+` AS TEXT) FROM `+table+` WHERE `+column+
			` IS NOT NULL`)
		must(t, err)
		for rows.Next() {
			var text string
			must(t, rows.Scan(&text))
			all.WriteString(judged + " " + strings.ToLower(text) + "\n")
		}
		must(t, rows.Err())
		rows.Close()
	}
	return all.String()
}
