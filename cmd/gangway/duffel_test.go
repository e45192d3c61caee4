package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"gangway/internal/book"
	"gangway/internal/book/flight"
	"gangway/internal/book/flight/duffel/duffeltest"
	"gangway/internal/gangway"
	"gangway/internal/store"
)

// TestDuffel books, tickets and changes at Duffel through the whole program: an operator gives the
// token, and Duffel reports changes itself.
func TestDuffel(t *testing.T) {
	folder := t.TempDir()
	database := "sqlite:" + filepath.Join(folder, "gangway.db")
	secret := func(name, text string) string {
		file := filepath.Join(folder, name)
		must(t, os.WriteFile(file, []byte(text+"\n"), 0o600))
		return file
	}
	var ahead atomic.Int64
	now := func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
	model := duffeltest.New(now)
	server := httptest.NewServer(model)
	defer server.Close()

	made := answer[newCustomer](t, "account", "create", "Halcyon Tankers", "--database", database)
	flags := func(environment string, more ...string) []string {
		return append([]string{"account", "supplier", "--database", database, "--customer", made.Customer,
			"--environment", environment}, more...)
	}
	if got := answer[supplierSettings](t, flags("production")...); got.Supplier != "simulated" || got.Token != "none" {
		t.Fatalf("before anything is given: %+v", got)
	}
	refused(t, "needs a token", flags("production", "--supplier", "duffel")...)
	refused(t, "begins with duffel_test_", flags("production", "--token-file", secret("wrong", "hunter2"))...)
	refused(t, "never buys a real ticket", flags("development", "--token-file",
		secret("live", duffeltest.LiveToken))...)
	got := answer[supplierSettings](t, flags("production", "--supplier", "duffel", "--token-file",
		secret("token", duffeltest.Token), "--phone", "+31205550100")...)
	if got.Supplier != "duffel" || got.Token != "test" || got.Webhook {
		t.Fatalf("after the token was given: %+v", got)
	}

	db := sure(storeFlags{Database: database}.open(&terminal{ctx: t.Context(), err: os.Stderr, now: now}))(t)
	defer db.Close()
	prod, _, err := db.Accounts(t.Context(), made.Customer)
	must(t, err)
	in := db.In(prod.Scope())
	at, h := serverOf(t, serverParts{db: db, duffel: server.URL, now: now})
	key := model.Subscribe(at.base.String()+"/suppliers/duffel/"+prod.ID, "order.created", "order.creation_failed",
		"order.airline_initiated_change_detected")
	if got := answer[supplierSettings](t, flags("production", "--webhook-file", secret("hook", key))...); !got.Webhook {
		t.Fatalf("after the webhook's secret was given: %+v", got)
	}

	by := gangway.User{Email: "ines.paredes@halcyon.example", Name: "Ines Paredes", Role: gangway.Booker}
	b := bookAt(t, h.desk, in, by)
	if b.Supplier != "duffel" || b.State != gangway.Confirmed || !b.Simulated {
		t.Fatalf("booked: %s by %s, simulated %v; want it confirmed, and not real in the test mode", b.State,
			b.Supplier, b.Simulated)
	}
	b, err = h.desk.Issue(t.Context(), in, by, b.ID, b.Price.Total)
	if err != nil || b.State != gangway.Issued || len(b.Tickets) == 0 {
		t.Fatalf("Issue = %s with tickets %v, %v", b.State, b.Tickets, err)
	}

	// The airline moves the flights; Duffel reports it, signed, and the booking waits for an answer.
	order := model.OrderWith("reference", b.ID)
	if order == "" {
		t.Fatal("Duffel has no order that carries our reference")
	}
	model.Disrupt(order, 3*time.Hour)
	eventually(t, "the airline's change is on the booking", func() bool {
		now, err := in.Booking(t.Context(), b.ID)
		return err == nil && now.State == gangway.ChangePending && now.Change.ByAirline
	})
	waits := sure(in.Booking(t.Context(), b.ID))(t)
	moved, err := h.desk.ConfirmChange(t.Context(), in, by, b.ID, waits.Change.Offer)
	if err != nil || moved.State != gangway.Issued || moved.Itinerary.Departure().Sub(b.Itinerary.Departure()) != 3*
		time.Hour {
		t.Fatalf("ConfirmChange = %s leaving %s, %v", moved.State, moved.Itinerary.Departure(), err)
	}

	// A report that Duffel did not sign is refused.
	for name, signature := range map[string]string{"unsigned": "",
		"signed by somebody else": duffeltest.Sign("another secret", now().Unix(), []byte(`{}`))} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, at.base.String()+"/suppliers/duffel/"+
			prod.ID, strings.NewReader(`{}`))
		must(t, err)
		r.Header.Set("X-Duffel-Signature", signature)
		answer := sure(http.DefaultClient.Do(r))(t)
		answer.Body.Close()
		if answer.StatusCode != http.StatusUnauthorized {
			t.Errorf("%s: %d; want 401", name, answer.StatusCode)
		}
	}

	// Back on the simulated network, bookings made at Duffel stay there.
	answer[supplierSettings](t, flags("production", "--supplier", "simulated")...)
	quote := sure(h.desk.QuoteCancel(t.Context(), in, b.ID))(t)
	gone, err := h.desk.Cancel(t.Context(), in, by, b.ID, quote.ID)
	if err != nil || gone.State != gangway.Cancelled && gone.State != gangway.RefundPending {
		t.Fatalf("Cancel = %s, %v", gone.State, err)
	}
	if other := bookAt(t, h.desk, in, by); other.Supplier != "simulated" {
		t.Fatalf("booked by %s; want the simulated network", other.Supplier)
	}
}

// bookAt books the first offer that can be held and changed.
func bookAt(t *testing.T, desk *book.Desk, in store.Scoped, by gangway.User) gangway.Booking {
	t.Helper()
	maria := gangway.Traveller{LastName: "Santos", FirstName: "Maria", DOB: "1990-04-30", Gender: "F",
		Nationality: "PH"}
	return bookFor(t, desk, in, by, maria, 30, func(o flight.Offer) bool {
		return time.Until(o.TicketBy) > time.Hour && o.Terms.Changes != gangway.NoChange
	})
}

// bookFor books for a traveller, so many days from now, the first offer that fits.
func bookFor(t *testing.T, desk *book.Desk, in store.Scoped, by gangway.User, who gangway.Traveller, days int,
	fits func(flight.Offer) bool) gangway.Booking {
	t.Helper()
	s := gangway.Search{ID: book.NewID(), By: by.Email, CreatedAt: time.Now(), Vessel: "Nordlys", Flag: "NO",
		Members: []gangway.SearchMember{{
			Traveller: who,
			Legs: []gangway.Leg{{Origin: "MNL", Destination: "AMS",
				Date: gangway.DateOf(time.Now().AddDate(0, 0, days))}},
		}}}
	must(t, in.SaveSearch(t.Context(), s))
	var chosen flight.Offer
	err := desk.Search(t.Context(), in, s, func(f book.FoundOffers) {
		if f.Err != nil {
			t.Errorf("search: %v", f.Err)
		}
		for _, o := range f.Offers {
			if chosen.ID == "" && fits(o) {
				chosen = o
			}
		}
	})
	if err != nil || chosen.ID == "" {
		t.Fatalf("search found nothing that fits: %v", err)
	}
	b, err := desk.Book(t.Context(), in, by, book.BookAsk{ID: book.NewID(), Search: s.ID, Offer: chosen.ID,
		Price: chosen.Price.Total})
	if err != nil {
		t.Fatalf("Book: %v", err)
	}
	return b
}
