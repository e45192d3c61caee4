package store_test

import (
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

func TestNothingOfARemovedCustomerIsLeft(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		db := openURL(t, url)
		prod, dev := storetest.Accounts(t, db)
		stays := storetest.Account(t, db)
		person := gangway.User{ID: store.NewID("usr"), Customer: prod.Customer.ID, Email: "ana@example.com",
			Name: "Ana", Role: gangway.Booker}
		must(t, db.CreateUser(t.Context(), storetest.Operator, person, "hash", noon))
		for i, a := range []gangway.Account{prod, dev, stays} {
			in := db.In(a.Scope())
			must(t, did(in.SetOutlet(t.Context(), storetest.Operator,
				gangway.DefaultOutlet, storetest.PushTo("https://crew.example.com"),
				[]string{"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"}, noon)))
			createBooking(t, in, string(rune('a'+i))+"1", nil)
			if _, _, err := in.BeginBatch(t.Context(), store.Batch{ID: "all", Kind: "book",
				Items: []store.BatchItem{{Booking: "b", Doc: []byte("{}")}}}, noon); err != nil {
				t.Fatal(err)
			}
			must(t, did(in.BeginPull(t.Context(), store.PullAsk{ID: "mine", Named: true, Limit: 10, Now: noon})))
			must(t, did(in.UpsertTravellers(t.Context(), []gangway.Traveller{{ID: "E1", LastName: "Santos"}})))
		}
		had, err := db.RemoveCustomer(t.Context(), storetest.Operator, prod.Customer.ID, noon)
		if err != nil || had.Bookings != 2 || had.Standing != 2 || had.Travellers != 2 || had.People != 1 ||
			had.Outlets != 2 {
			t.Fatalf("RemoveCustomer = %+v, %v; want everything that it had", had, err)
		}
		must(t, db.Wipe(t.Context()))
		operator := raw(t, url)
		for _, table := range store.TablesOfAccounts() {
			var left, others int
			err := operator.QueryRowContext(t.Context(), `SELECT count(*) FROM `+table+
				` WHERE account = $1 OR account = $2`, prod.ID, dev.ID).Scan(&left)
			if err != nil || left != 0 {
				t.Errorf("%s keeps %d rows, %v; want none", table, left, err)
			}
			if err := operator.QueryRowContext(t.Context(), `SELECT count(*) FROM `+table+` WHERE account = $1`,
				stays.ID).Scan(&others); err != nil {
				t.Error(err)
			}
			if want := map[string]bool{"booking": true, "action": true, "delivery": true, "outlet": true,
				"traveller": true, "intent": true, "batch": true, "batch_item": true}[table]; want && others != 1 {
				t.Errorf("%s of another customer has %d rows; want its own", table, others)
			}
		}
		wantKind(t, gangway.NotFound, did(db.Customer(t.Context(), prod.Customer.ID)))
		list, err := db.Audit(t.Context(), store.AuditQuery{Customer: prod.Customer.ID}, 10)
		if err != nil || len(list) != 1 || list[0].What != gangway.CustomerRemoved ||
			list[0].By != storetest.Operator || list[0].Before["name"] != "Halcyon Tankers" {
			t.Errorf("the audit log has %+v, %v; want who removed it, and nothing else", list, err)
		}
	})
}
