package crew_test

import (
	"bufio"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/apptest"
)

// TestColleaguesAreSeenWhileFlightsAreFound opens a crew change while its flights
// are still looked for: what a colleague chooses and books meanwhile comes by the
// stream, and its end counts it.
func TestColleaguesAreSeenWhileFlightsAreFound(t *testing.T) {
	s := apptest.NewSite(t)
	s.Gate = apptest.NewGate()
	mara, helen := s.SignedIn(t, gangway.Booker), s.SignedIn(t, gangway.Approver)
	search := s.Keep(t, apptest.Joiners()...)
	path := "/searches/" + search.ID
	seen := followed{t, mara.OpenStream(path + "/stream")}
	s.Gate.Pass(1)
	found := seen.until(`class="person is-offer`) // the first row that has its flights
	before, _, _ := strings.Cut(found, `" class="person is-offer`)
	member := before[strings.LastIndex(before, "-")+1:]

	choose := helen.Get(path + "?member=" + member).Form(path + "/choose")
	helen.Post(path+"/choose", choose)
	seen.until(`id="m-`+member+`"`, "by Ingrid Holm")

	bookByHand(t, s, search, member)
	seen.until(`id="m-`+member+`"`, "K7Q2MX")

	s.Gate.Pass(100)
	seen.until("event: end", "1 booked", "K7Q2MX")
}

// bookByHand books a member of a search as the desk does once the airline has
// answered, which the gate keeps it from.
func bookByHand(t *testing.T, s *apptest.Site, search gangway.Search, member string) {
	t.Helper()
	in, at := apptest.Production(s), s.Now()
	i := apptest.Must(strconv.Atoi(member))(t)
	b := gangway.Booking{ID: "K7Q2MX", Locator: "K7Q2MX", CreatedAt: at, Passenger: search.Members[i].Traveller,
		Purpose: gangway.Purpose{Search: search.ID, Member: i, Change: search.Change, Side: gangway.OnSigner}}
	b.Price.Total = gangway.Money{Minor: 48200, Currency: "USD"}
	action := apptest.Must(b.Move(gangway.Book, "approver@example.com", at))(t)
	if err := in.BeginBooking(t.Context(), store.Intent{ID: b.ID, Booking: b.ID, Kind: "book", Doc: []byte("{}"),
		CreatedAt: at, Lease: at}, store.Hold{Search: search.ID, Member: i}); err != nil {
		t.Fatal(err)
	}
	apptest.Must(in.CreateBooking(t.Context(), b.ID, b, action))(t)
}

// A followed stream is what a page was sent.
type followed struct {
	t     *testing.T
	lines *bufio.Scanner
}

// until returns the first event that has all texts.
func (f followed) until(texts ...string) string {
	f.t.Helper()
	var event strings.Builder
	for f.lines.Scan() {
		if line := f.lines.Text(); line != "" {
			fmt.Fprintln(&event, line)
			continue
		}
		has := 0
		for _, text := range texts {
			if strings.Contains(event.String(), text) {
				has++
			}
		}
		if has == len(texts) {
			return event.String()
		}
		event.Reset()
	}
	f.t.Fatalf("the stream ended (%v) without an event with %q", f.lines.Err(), texts)
	return ""
}
