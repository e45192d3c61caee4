package app_test

import (
	"encoding/csv"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gangway"
	"gangway/internal/book"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// booked holds the first offer that the filters leave and returns the path of its booking.
func (c *client) booked(filters string) string {
	c.t.Helper()
	search := c.site.keep(c.t, maria)
	form := c.get("/searches/" + search.ID + "?" + filters).form("/searches/" + search.ID + "/book")
	page := c.post("/searches/"+search.ID+"/book", form)
	page.has("Held as")
	path, _, _ := strings.Cut(page.path, "?")
	return path
}

func TestBooking(t *testing.T) {
	s := newSite(t)
	c := s.signedIn(t, gangway.Booker)

	t.Run("issue: quoted, then done", func(t *testing.T) {
		c := c.in(t)
		path := c.booked("fare=marine")
		c.get(path).has("Itinerary", "held, no ticket yet", "Price is good until", "History", "not issued", "UK government conversion factors")
		quote := c.get(path + "/issue")
		quote.has("To pay", "Once ticketed", "The price is good until", "Issue tickets, pay USD")
		done := c.post(path+"/issue", quote.form(path+"/issue"))
		done.shows(path, "Tickets are issued.", "issued")
		done.lacks("Issue tickets…")
		again := c.post(path+"/issue", quote.form(path+"/issue"))
		if again.status != http.StatusConflict {
			t.Fatalf("issuing twice is answered with %d; want 409", again.status)
		}
		again.has("Ingrid Holm had the tickets issued at 09:00 UTC.", "Itinerary")
		again.lacks("does not allow")
		c.get("/bookings").has("1 booking · 1 issued")
	})
	t.Run("issue at another price is refused, and quoted anew", func(t *testing.T) {
		c := c.in(t)
		path := c.booked("fare=marine")
		wrong := c.post(path+"/issue", url.Values{"price": {"USD 1.00"}})
		if wrong.status != http.StatusConflict {
			t.Fatalf("the answer is %d; want 409", wrong.status)
		}
		wrong.has("not USD 1.00", "This is how it stands now", "Issue tickets, pay USD")
	})
	t.Run("cancel: quoted, then done", func(t *testing.T) {
		c := c.in(t)
		path := c.booked("fare=marine")
		quote := c.get(path + "/cancel")
		quote.has("Cancel and release the seats", "Leave it as it is")
		c.post(path+"/cancel", quote.form(path+"/cancel")).shows(path, "Cancelled.", "cancelled")
		late := c.get(path + "/cancel")
		if late.status != http.StatusConflict {
			t.Fatalf("cancelling twice is answered with %d; want 409", late.status)
		}
		late.has("Ingrid Holm cancelled it at 09:00 UTC.", "Itinerary")
	})
	t.Run("cancel on a quote that is none", func(t *testing.T) {
		c := c.in(t)
		path := c.booked("fare=marine")
		wrong := c.post(path+"/cancel", url.Values{"quote": {"nothing"}})
		if wrong.status != http.StatusConflict && wrong.status != http.StatusNotFound {
			t.Fatalf("the answer is %d; want a refusal", wrong.status)
		}
		c.get(path).has("confirmed")
	})
	t.Run("change: other flights, their price, confirmed or given up", func(t *testing.T) {
		c := c.in(t)
		path := c.booked("fare=marine&rule=change")
		c.get(path+"/change").has("flies now", "Find other flights")
		c.get(path + "/change?date0=2036-13-01").has("A day, as in")
		offers := c.get(path + "/change?date0=2036-12-04")
		offers.has("to change it; nothing is changed yet", "Choose these flights")
		chosen := c.post(path+"/ask-change", offers.form(path+"/ask-change"))
		chosen.shows(path, "Other flights are chosen", "change pending", "Paid so far", "To pay with the tickets", "Give up the change")
		c.post(path+"/give-up-change", nil).shows(path, "The change is given up", "confirmed")
		offers = c.get(path + "/change?date0=2036-12-04")
		c.post(path+"/ask-change", offers.form(path+"/ask-change")).has("change pending")
		confirm := c.get(path).form(path + "/confirm-change")
		c.post(path+"/confirm-change", confirm).shows(path, "Changed.", "Dec", "confirmed")
		if late := c.post(path+"/confirm-change", confirm); late.status != http.StatusConflict {
			t.Fatalf("confirming twice is answered with %d; want 409", late.status)
		}
	})
	t.Run("money: what was paid, the fee of a change and what comes back stand on every page, and add up", func(t *testing.T) {
		c := c.in(t)
		path := c.booked("fare=public&rule=change")
		c.get(path).has("Nothing is paid yet.")
		c.post(path+"/issue", c.get(path+"/issue").form(path+"/issue")).has("Paid so far", "paid: fare USD")
		in, id := production(s), strings.TrimPrefix(path, "/bookings/")
		paid := func() gangway.Booking {
			b, err := in.Booking(t.Context(), id)
			if err != nil {
				t.Fatal(err)
			}
			return b
		}
		was := paid()
		offers := c.get(path + "/change?date0=2036-12-04")
		offers.has("Cancelling costs nothing", "this ends with the change", "New price, fare and taxes", "The airline&#39;s fee", "Paid so far", "To pay now", "−"+was.Price.Total.Decimal())
		chosen := c.post(path+"/ask-change", offers.form(path+"/ask-change"))
		due := paid().Change.Due.String()
		chosen.has("this ends with the change", "To pay now", "Change and pay "+due, due+" to pay, with a fee of "+was.Terms.ChangeFee.String())
		changed := c.post(path+"/confirm-change", c.get(path).form(path+"/confirm-change"))
		changed.lacks("this ends with the change", "Cancelling brings everything back")
		changed.has("Fees of changes", due+" paid:", "change fee "+was.Terms.ChangeFee.String())
		b := paid()
		if b.Price.Fees != was.Terms.ChangeFee || b.PaidSoFar() != b.Price.Total {
			t.Fatalf("paid %s for %+v; want the fee of %s in it", b.PaidSoFar(), b.Price, was.Terms.ChangeFee)
		}
		quote := c.get(path + "/cancel")
		quote.has("Paid so far", b.Price.Total.Decimal(), "Kept by the airline", "Comes back", " paid for changes do not come back")
		quote.lacks("−")
		gone := c.post(path+"/cancel", quote.form(path+"/cancel"))
		b = paid()
		kept, known := b.Kept()
		gone.has("Still to come back", "Kept by the airline", kept.Decimal(), b.Refund.Amount.String()+" promised back")
		if !known || kept.Minor < b.Price.Fees.Minor || kept.Add(b.Refund.Amount) != b.Price.Total {
			t.Fatalf("%s kept and %s back of %s", kept, b.Refund.Amount, b.Price.Total)
		}
		file := c.get("/bookings.csv?find=" + b.Passenger.LastName)
		file.has(strings.Join([]string{b.Price.Total.Decimal(), "USD", b.PaidSoFar().Decimal(), b.Price.Fees.Decimal(), b.Refund.Amount.Decimal(), "USD"}, ","))
	})
	t.Run("a booking that is none, and one of another environment", func(t *testing.T) {
		path := c.in(t).booked("")
		for _, page := range []answer{c.in(t).get("/bookings/nothing"), func() answer {
			other := s.signedIn(t, gangway.Booker)
			other.post("/environment", url.Values{"environment": {"development"}, "back": {"/"}})
			return other.get(path)
		}()} {
			if page.status != http.StatusNotFound {
				t.Errorf("%s is answered with %d; want 404", page.path, page.status)
			}
		}
	})
	t.Run("while the airline has not answered the page waits, and says when nothing came of it", func(t *testing.T) {
		in := production(s)
		search := s.keep(t, maria)
		intent := store.Intent{ID: book.NewID(), Kind: "book", By: "booker@example.com", Doc: []byte("{}"), CreatedAt: today, Lease: today}
		intent.Booking = intent.ID
		if err := in.BeginBooking(t.Context(), intent, store.Hold{Search: search.ID}); err != nil {
			t.Fatal(err)
		}
		c.in(t).get("/bookings/"+intent.ID+"?search="+search.ID).has("Being booked", `http-equiv="refresh"`, "Please do not book again")
		if err := in.CloseIntent(t.Context(), intent.ID, "the flight is sold out"); err != nil {
			t.Fatal(err)
		}
		c.in(t).get("/bookings/"+intent.ID+"?search="+search.ID).has("Not booked", "The flight is sold out.", "Choose another flight", "/searches/"+search.ID)
	})
	t.Run("while something is asked of the airline nothing else can be", func(t *testing.T) {
		path := c.in(t).booked("")
		id := strings.TrimPrefix(path, "/bookings/")
		intent := store.Intent{ID: book.NewID(), Booking: id, Kind: "issue", By: "booker@example.com", Doc: []byte("{}"), CreatedAt: today, Lease: today}
		if err := production(s).BeginIntent(t.Context(), intent, func(gangway.Booking) error { return nil }); err != nil {
			t.Fatal(err)
		}
		page := c.in(t).get(path)
		page.has("Waiting for the airline to issue the tickets", `http-equiv="refresh"`)
		page.lacks("Issue tickets…", "Cancel…")
	})
	t.Run("where each action was delivered", func(t *testing.T) {
		if _, err := production(s).SetOutlet(t.Context(), storetest.Operator, "https://crew.example.com/sync", nil, today); err != nil {
			t.Fatal(err)
		}
		c.in(t).get(c.in(t).booked("")).has("crew.example.com: on its way")
	})
}

func TestApprovals(t *testing.T) {
	s := newSite(t)
	always := gangway.Settings{Approval: gangway.ApprovalPolicy{Mode: gangway.ApproveAlways}}
	storetest.Settings(t, production(s), always)
	booker, approver := s.signedIn(t, gangway.Booker), s.signedIn(t, gangway.Approver)
	booker.get("/approvals").has("Nothing waits")
	one, two, three := booker.booked(""), booker.booked("fare=marine"), booker.booked("")
	id := func(path string) string { return strings.TrimPrefix(path, "/bookings/") }

	t.Run("a booker sees what waits and cannot decide", func(t *testing.T) {
		page := booker.in(t).get("/approvals")
		page.shows("/approvals", "3 bookings wait", "Every booking needs approval", "this one", "An approver or an admin")
		page.lacks("Approve all ticked")
		booker.in(t).get(one).lacks("Approve it?")
		for _, path := range []string{one + "/approve", one + "/decline", "/approvals"} {
			if page := booker.in(t).post(path, url.Values{"booking": {id(one)}, "reason": {"no"}}); page.status != http.StatusForbidden {
				t.Errorf("POST %s is answered with %d; want 403", path, page.status)
			}
		}
	})
	t.Run("an approver declines with a reason, and only with one", func(t *testing.T) {
		approver.in(t).get(one).has("Approve it?", "Decline and release the seats", "cheapest that was found at the same times")
		wrong := approver.in(t).post(one+"/decline", url.Values{"reason": {" "}})
		if wrong.status != http.StatusUnprocessableEntity {
			t.Fatalf("without a reason the answer is %d; want 422", wrong.status)
		}
		approver.in(t).post(one+"/decline", url.Values{"reason": {"take the train"}}).shows(one, "declined", "take the train")
	})
	t.Run("several at once, and one that is decided already does not stop the others", func(t *testing.T) {
		none := approver.in(t).post("/approvals", url.Values{"decide": {"approve"}})
		none.has("Tick at least one")
		page := approver.in(t).post("/approvals", url.Values{"decide": {"decline"}, "booking": {id(two)}})
		page.has("A reason is needed", `value="`+id(two)+`" checked`)
		page = approver.in(t).post("/approvals", url.Values{"decide": {"approve"}, "booking": {id(one), id(two), id(three)}})
		if page.status != http.StatusConflict {
			t.Fatalf("the answer is %d; want 409, for one was declined already", page.status)
		}
		page.has("2 bookings approved.", "Ingrid Holm declined it at 09:00 UTC.")
		booker.in(t).get(two).has("confirmed", "Issue tickets…")
	})
}

func TestBookings(t *testing.T) {
	s := newSite(t)
	c := s.signedIn(t, gangway.Booker)
	c.get("/bookings").shows("/bookings", "No bookings yet")
	c.booked("")
	c.booked("fare=marine")
	list := s.bookings(t)

	t.Run("all, and what the filters leave", func(t *testing.T) {
		c.in(t).get("/bookings").shows("/bookings", "2 bookings", list[0].Locator, list[1].Locator, "Nordlys", "booker@example.com")
		c.in(t).get("/bookings?state=issued").has("None fits")
		c.in(t).get("/bookings?find=sant&vessel=nord&state=confirmed&by=booker@example.com&from=2036-11-01&to=2036-12-31").has("2 bookings fit", list[0].Locator)
		c.in(t).get("/bookings?by=Ingrid+Holm").has("2 bookings fit", list[0].Locator)
		c.in(t).get("/bookings?by=Nobody").has("None fits")
		c.in(t).get("/bookings?offset=-5&state=nonsense").has(list[0].Locator)
	})
	t.Run("a locator leads to its booking", func(t *testing.T) {
		c.in(t).get("/bookings?find="+strings.ToLower(list[0].Locator)).shows("/bookings/"+list[0].ID, "Itinerary")
	})
	t.Run("as a file", func(t *testing.T) {
		file := c.in(t).get("/bookings.csv?vessel=nordlys")
		if got := file.head.Get("Content-Type"); !strings.HasPrefix(got, "text/csv") {
			t.Fatalf("content type is %q", got)
		}
		rows, err := csv.NewReader(strings.NewReader(file.body)).ReadAll()
		if err != nil || len(rows) != 3 || rows[0][0] != "locator" || !strings.Contains(file.body, "\r\n") {
			t.Fatalf("the file has %d rows, %v; want a head and two bookings, in lines of RFC 4180", len(rows), err)
		}
		locators := len(rows[0]) - 1 // columns are added at the end only: spreadsheets count on their places
		for _, row := range rows[1:] {
			b := list[slices.IndexFunc(list, func(b gangway.Booking) bool { return b.Locator == row[0] })]
			if rows[0][locators] != "pnrs" || len(b.PNRs) == 0 || row[locators] != strings.Join(b.PNRs, " ") {
				t.Fatalf("column %s of %s is %q; want pnrs to be %v", rows[0][locators], row[0], row[locators], b.PNRs)
			}
		}
	})
	t.Run("the first page of many leads to the next", func(t *testing.T) {
		for range 50 {
			c.in(t).booked("")
		}
		first := c.in(t).get("/bookings")
		first.has("52 bookings", "Next")
		next := regexp.MustCompile(`href="(/bookings\?at=[^"]+)"`).FindStringSubmatch(first.body)
		if next == nil {
			t.Fatal("there is no way to older bookings")
		}
		second := c.in(t).get(next[1])
		second.has("Previous")
		second.lacks("Next")
		if n := strings.Count(second.body, "<a data-row"); n != 2 {
			t.Fatalf("the second page has %d bookings; want 2", n)
		}
	})
}

// disturbed issues a booking and lets its airline change the flights by itself;
// it returns the booking's path.
func (c *client) disturbed() string {
	c.t.Helper()
	path := c.booked("fare=marine")
	c.post(path+"/issue", c.get(path+"/issue").form(path+"/issue"))
	in := production(c.site)
	b, err := in.Booking(c.t.Context(), strings.TrimPrefix(path, "/bookings/"))
	if err != nil {
		c.t.Fatal(err)
	}
	for seed := int64(1); seed < 5000; seed++ {
		order, err := c.site.sells.For(in.Ledger(), seed).Order(c.t.Context(), b.Order)
		if err != nil {
			c.t.Fatal(err)
		}
		if n := order.Notice; n != nil && !n.Minor && len(n.Itinerary.Segments) > 0 {
			c.site.disruptions.Store(seed)
			if err := c.site.desk.Nudge(c.t.Context(), in, b.Supplier, b.Order); err != nil {
				c.t.Fatal(err)
			}
			if err := c.site.desk.Tick(c.t.Context()); err != nil {
				c.t.Fatal(err)
			}
			return path
		}
	}
	c.t.Fatal("no seed changes the flights")
	return ""
}

func TestAirlineChange(t *testing.T) {
	t.Run("what the airline offers instead is taken with one button", func(t *testing.T) {
		c := newSite(t).signedIn(t, gangway.Booker)
		path := c.disturbed()
		waits := c.get(path)
		waits.has("The airline has changed the flights", "waits for an answer", "Take these flights; nothing to pay", "Do not take them", "change pending", "by itself")
		c.get("/deadlines").has("1 booking waits", "answer the airline")
		c.post(path+"/confirm-change", waits.form(path+"/confirm-change")).has("Changed.", "issued")
	})
	t.Run("who leaves it is told what that means, and gets everything back", func(t *testing.T) {
		c := newSite(t).signedIn(t, gangway.Booker)
		path := c.disturbed()
		left := c.post(path+"/give-up-change", c.get(path).form(path+"/give-up-change"))
		left.has("was not taken", "issued", "Cancel…", "Change…")
		c.get(path + "/cancel").has("Cancel")
	})
}
