package main

import (
	"bytes"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"gangway/internal/book"
	"gangway/internal/book/flight"
	"gangway/internal/book/flight/duffel/duffeltest"
	"gangway/internal/gangway"
	"gangway/internal/seal"
)

// TestNothingIsLeftOfOrders erases a traveller with bookings at Duffel, one held and one with an unpaid
// change offer, and one made elsewhere, and searches every byte.
func TestNothingIsLeftOfOrders(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "keys")
	must(t, makeKey(file, seal.NewKey()))
	keys := sure(os.ReadFile(file))(t)
	t.Setenv("GANGWAY_SECRET_KEYS", string(keys))
	token := filepath.Join(folder, "token")
	must(t, os.WriteFile(token, []byte(duffeltest.Token+"\n"), 0o600))
	onEither(t, func(t *testing.T, database string) {
		server := httptest.NewServer(duffeltest.New(time.Now))
		defer server.Close()
		made := answer[newCustomer](t, "account", "create", "Halcyon Tankers", "--database", database)
		of := []string{"--database", database, "--customer", made.Customer, "--environment", "production"}
		answer[supplierSettings](t, append([]string{"account", "supplier", "--supplier", "duffel", "--token-file",
			token, "--phone", "+31205550100"}, of...)...)
		db := sure(storeFlags{Database: database}.open(&terminal{ctx: t.Context(), err: os.Stderr, now: time.Now}))(t)
		defer db.Close()
		prod, _, err := db.Accounts(t.Context(), made.Customer)
		must(t, err)
		in := db.In(prod.Scope())
		_, h := serverOf(t, serverParts{db: db, duffel: server.URL, now: time.Now})

		by := gangway.User{Email: "ines.paredes@halcyon.example", Name: "Ines Paredes", Role: gangway.Booker}
		who := gangway.Traveller{
			ID: "E-4711", LastName: "Żółkiewska-Quuxley", FirstName: "Bartłomieja", DOB: "1979-10-27",
			Nationality: "PL", Gender: "F", DocCountry: "PL", DocNumber: "ZQ773190X",
			DocExpire: "2035-01-01", Email: "quuxley@example.org", Phone: "+48225550147",
		}
		held := bookFor(t, h.desk, in, by, who, 30, func(o flight.Offer) bool {
			return time.Until(o.TicketBy) > time.Hour
		})
		held = sure(h.desk.Issue(t.Context(), in, by, held.ID, held.Price.Total))(t)
		unpaid := bookFor(t, h.desk, in, by, who, 90, func(o flight.Offer) bool {
			return time.Until(o.TicketBy) < time.Hour
		})
		entry := flight.Entry{Agency: "Fjord Travel for zolkiewska, ZQ 773-190X", Itinerary: held.Itinerary,
			Price: held.Price, Terms: held.Terms, PNRs: []string{"ABC234", "ZQ773190X"},
			Tickets: []string{"6182412345678"}}
		elsewhere, err := h.desk.Enter(t.Context(), in, by, book.EntryAsk{
			ID: book.NewID(), Passenger: who, Vessel: "Nordlys (Bartlomieja Quuxley)",
			Flag: "NO", Side: gangway.OnSigner, RequestID: "R-27OCT79", SubID: "ZQ773190X",
			Entry: entry, Others: []string{held.ID, unpaid.ID},
		})
		must(t, err)
		for _, b := range []gangway.Booking{held, unpaid, elsewhere} {
			q := sure(h.desk.QuoteCancel(t.Context(), in, b.ID))(t)
			must(t, did(h.desk.Cancel(t.Context(), in, by, b.ID, q.ID)))
		}
		before := dump(t, database)
		for _, word := range []string{"ZQ773190X", "1979-10-27", "Żółkiewska", "Bartłomieja"} {
			if !bytes.Contains(before, []byte(word)) {
				t.Errorf("%q was not there before, so the test checks nothing", word)
			}
		}

		got := answer[erasedTraveller](t, append([]string{"traveller", "erase", "--id", "E-4711"}, of...)...)
		if got.Bookings != 3 || got.Searches != 3 {
			t.Errorf("erased: %+v; want three bookings and their searches", got)
		}
		nothingLeft(t, database)
		for _, b := range []gangway.Booking{held, unpaid, elsewhere} {
			now, err := in.Booking(t.Context(), b.ID)
			if b.ID == elsewhere.ID && (now.Agency != "Fjord Travel for erased" || now.Purpose.Vessel !=
				"Nordlys (erased)" || fmt.Sprint(now.PNRs) != "[ABC234 erased]") {
				t.Errorf("of what was entered there is %q, %q, %q; want the rest as it was", now.Agency,
					now.Purpose.Vessel, now.PNRs)
			}
			if err != nil || !now.Passenger.Erased() || now.Price.Total != b.Price.Total || now.Supplier != b.Supplier {
				t.Errorf("the booking at %s is %+v, %v; want its figures as they were", b.Supplier, now, err)
			}
		}
	})
}

// nothingLeft searches every byte for the values of nobodyElse and traces.
func nothingLeft(t *testing.T, database string) {
	t.Helper()
	verifies(t, database)
	after := dump(t, database)
	for _, word := range traces {
		if i := bytes.Index(after, []byte(word)); i >= 0 {
			t.Errorf("%q is left: …%q…", word, after[max(0, i-120):min(len(after), i+60)])
		}
	}
}
