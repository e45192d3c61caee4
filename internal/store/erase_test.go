package store_test

import (
	"fmt"
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
