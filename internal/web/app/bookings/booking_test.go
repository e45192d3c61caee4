package bookings_test

import (
	"encoding/csv"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gangway/internal/book"
	"gangway/internal/book/flight"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
	"gangway/internal/web/app/apptest"
)

func TestBooking(t *testing.T) {
	s := apptest.NewSite(t)
	c := s.SignedIn(t, gangway.Booker)

	c.Run("issue: quoted, then done", func(t *testing.T, c *apptest.Client) {
		path := c.Booked("fare=marine")
		c.Get(path).Has("Itinerary", "on hold: ", "Fare until", "History", "not issued",
			"UK government conversion factors")
		quote := c.Get(path+"/issue").Has("To pay", "Once ticketed", "Fare until",
			"Issue tickets · USD")
		c.Post(path+"/issue", quote.Form(path+"/issue")).Shows(path, "Tickets are issued.", "issued").
			Lacks("Issue tickets…")
		c.Post(path+"/issue", quote.Form(path+"/issue")).
			Is(http.StatusConflict, "Ingrid Holm had the tickets issued at 09:00 UTC.", "Itinerary").
			Lacks("does not allow")
		c.Get("/bookings").Has(">1 booking<")
	})
	c.Run("issue and cancel name traveller, vessel and day before they act", func(t *testing.T, c *apptest.Client) {
		path := c.Booked("fare=marine")
		b := s.Booking(t, path)
		leaves := b.Itinerary.Departure().Format("Mon 2 Jan")
		for _, page := range []string{"/issue", "/cancel"} {
			c.Get(path+page).Has(b.Locator, "Santos, Maria", "Nordlys", leaves)
		}
	})
	c.Run("issue at another price is refused, and quoted anew", func(t *testing.T, c *apptest.Client) {
		path := c.Booked("fare=marine")
		c.Post(path+"/issue", url.Values{"price": {"USD 1.00"}}).
			Is(http.StatusConflict, "not USD 1.00", "This is the booking now", "Issue tickets · USD")
	})
	c.Run("cancel: quoted, then done", func(t *testing.T, c *apptest.Client) {
		path := c.Booked("fare=marine")
		quote := c.Get(path+"/cancel").Has("Cancel and release seats", "Keep booking")
		c.Post(path+"/cancel", quote.Form(path+"/cancel")).Shows(path, "Cancelled.", "cancelled")
		c.Get(path+"/cancel").Is(http.StatusConflict, "Ingrid Holm cancelled it at 09:00 UTC.", "Itinerary")
	})
	c.Run("change: other flights, their price, confirmed or given up", func(t *testing.T, c *apptest.Client) {
		path := c.Booked("fare=marine&rule=change")
		c.Get(path+"/change").Has("Current flights", "Find other flights")
		c.Get(path + "/change?date0=2036-13-01").Has("a day such as")
		offers := c.Get(path+"/change?date0=2036-12-04").
			Has("nothing is changed yet", "Choose these flights")
		chosen := c.Post(path+"/ask-change", offers.Form(path+"/ask-change"))
		chosen.Shows(path, "Change to confirm", `data-state="change_pending"`, "Paid so far", "To pay with the tickets",
			"Discard change")
		c.Post(path+"/give-up-change", nil).Shows(path, "Change discarded", "confirmed")
		offers = c.Get(path + "/change?date0=2036-12-04")
		c.Post(path+"/ask-change", offers.Form(path+"/ask-change")).Has(`data-state="change_pending"`)
		confirm := c.Get(path).Form(path + "/confirm-change")
		c.Post(path+"/confirm-change", confirm).Shows(path, "Changed.", "Dec", "confirmed")
		c.Post(path+"/confirm-change", confirm).Is(http.StatusConflict)
	})
	t.Run("money: what was paid, the fee of a change and what comes back stand on every page, and add up",
		func(t *testing.T) {
			c := c.In(t)
			path := c.Booked("fare=public&rule=change")
			c.Get(path).Has("Nothing is paid yet.")
			c.Submit(path+"/issue").Has("Paid so far", "paid: fare USD")
			was := s.Booking(t, path)
			offers := c.Get(path+"/change?date0=2036-12-04").
				Has("Void free of charge", "a change ends this", "New price, fare and taxes",
					"Change fee", "Paid so far", "To pay now", "−"+was.Price.Total.Decimal())
			chosen := c.Post(path+"/ask-change", offers.Form(path+"/ask-change"))
			due := s.Booking(t, path).Change.Due.String()
			chosen.Has("a change ends this", "To pay now", "Change · "+due, due+" to pay, with a fee of "+
				was.Terms.ChangeFee.String())
			c.Post(path+"/confirm-change", c.Get(path).Form(path+"/confirm-change")).
				Lacks("a change ends this", "Void free of charge").
				Has("Fees of changes", due+" paid:", "change fee "+was.Terms.ChangeFee.String())
			b := s.Booking(t, path)
			if b.Price.Fees != was.Terms.ChangeFee || b.PaidSoFar() != b.Price.Total {
				t.Fatalf("paid %s for %+v; want the fee of %s in it", b.PaidSoFar(), b.Price, was.Terms.ChangeFee)
			}
			quote := c.Get(path+"/cancel").Has("Paid so far", b.Price.Total.Decimal(), "Cancellation and change fees",
				"Refund", " paid for changes is not refunded").Lacks("−")
			gone := c.Post(path+"/cancel", quote.Form(path+"/cancel"))
			b = s.Booking(t, path)
			kept, known := b.Kept()
			gone.Has("Refund to come", "Cancellation and change fees", kept.Decimal(), b.Refund.Amount.String()+
				" refund promised")
			if !known || kept.Minor < b.Price.Fees.Minor || kept.Add(b.Refund.Amount) != b.Price.Total {
				t.Fatalf("%s kept and %s back of %s", kept, b.Refund.Amount, b.Price.Total)
			}
			c.Get("/bookings.csv?find=" + b.Passenger.LastName).
				Has(strings.Join([]string{b.Price.Total.Decimal(), "USD", b.PaidSoFar().Decimal(),
					b.Price.Fees.Decimal(), b.Refund.Amount.Decimal(), "USD"}, ","))
		})
	t.Run("a booking that is none, and one of another environment", func(t *testing.T) {
		path := c.In(t).Booked("")
		for _, page := range []apptest.Answer{c.In(t).Get("/bookings/nothing"), func() apptest.Answer {
			other := s.InDevelopment(t, gangway.Booker)
			return other.Get(path)
		}()} {
			page.Is(http.StatusNotFound)
		}
	})
	t.Run("while the airline has not answered the page waits, and says when nothing came of it", func(t *testing.T) {
		in := apptest.Production(s)
		search := s.Keep(t, apptest.Maria)
		intent := store.Intent{ID: book.NewID(), Kind: "book", By: "booker@example.com", Doc: []byte("{}"),
			CreatedAt: apptest.Today, Lease: apptest.Today}
		intent.Booking = intent.ID
		apptest.Done(t, in.BeginBooking(t.Context(), intent, store.Hold{Search: search.ID}))
		c.In(t).Get("/bookings/"+intent.ID+"?search="+search.ID).Has("Being booked", `http-equiv="refresh"`,
			"Please do not book again")
		apptest.Done(t, in.CloseIntent(t.Context(), intent.ID, "the flight is sold out"))
		c.In(t).Get("/bookings/"+intent.ID+"?search="+search.ID).Has("Not booked", "The flight is sold out.",
			"Choose another flight", "/searches/"+search.ID)
	})
	t.Run("while something is asked of the airline nothing else can be", func(t *testing.T) {
		path := c.In(t).Booked("")
		id := strings.TrimPrefix(path, "/bookings/")
		intent := store.Intent{ID: book.NewID(), Booking: id, Kind: "issue", By: "booker@example.com",
			Doc: []byte("{}"), CreatedAt: apptest.Today, Lease: apptest.Today}
		if err := apptest.Production(s).BeginIntent(t.Context(), intent, func(gangway.Booking) error {
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		c.In(t).Get(path).Has("Waiting for the airline to issue the tickets", `http-equiv="refresh"`).
			Lacks("Issue tickets…", "Cancel…")
	})
	t.Run("where each action was delivered", func(t *testing.T) {
		if _, err := apptest.Production(s).SetOutlet(t.Context(), storetest.Operator,
			gangway.DefaultOutlet, storetest.PushTo("https://10.20.0.7/sync"), nil, apptest.Today); err != nil {
			t.Fatal(err)
		}
		path := c.In(t).Booked("")
		c.In(t).Get(path).Has("10.20.0.7: waiting")
		c.In(t).Get(path).Lacks("what was sent")
		s.Deliver(t, s.Now(), nil, func(in store.Scoped) bool {
			list, err := in.DeliveryStatuses(t.Context(), strings.TrimPrefix(path, "/bookings/"))
			return err == nil && list[0].Attempts > 0
		})
		c.In(t).Get(path).Has("1 try so far; it is tried again at ", "nothing was sent: ask your Gangway operator").
			Lacks("--allow-network", "msg_")
		admin := s.SignedIn(t, gangway.Admin)
		admin.Get(path).Has("1 try so far; it is tried again at ", "/settings/outlets/default/deliveries/",
			"with --allow-network", `title="webhook-id">msg_`)
		_, after, _ := strings.Cut(admin.Get(path).Body, `href="/settings/outlets/default/deliveries/`)
		at, _, _ := strings.Cut(after, `"`)
		admin.Get("/settings/outlets/default/deliveries/"+at).Has("What is sent", "no answer")
	})
}

func TestApprovals(t *testing.T) {
	s := apptest.NewSite(t)
	always := gangway.Settings{Approval: gangway.ApprovalPolicy{Mode: gangway.ApproveAlways}}
	storetest.Settings(t, apptest.Production(s), always)
	booker, approver := s.SignedIn(t, gangway.Booker), s.SignedIn(t, gangway.Approver)
	booker.Get("/approvals").Has("Nothing to approve")
	one, two, three := booker.Booked(""), booker.Booked("fare=marine"), booker.Booked("")
	id := func(path string) string { return strings.TrimPrefix(path, "/bookings/") }

	t.Run("a booker sees what waits and cannot decide", func(t *testing.T) {
		booker.In(t).Get("/approvals").Shows("/approvals", "3 bookings to approve", "Every booking needs approval",
			"cheapest comparable", "An approver or an admin").Lacks("Approve ticked")
		booker.In(t).Get(one).Lacks("To approve")
		for _, path := range []string{one + "/approve", one + "/decline", "/approvals"} {
			booker.In(t).Post(path, url.Values{"booking": {id(one)}, "reason": {"no"}}).Is(http.StatusForbidden)
		}
	})
	t.Run("an approver declines with a reason, and only with one", func(t *testing.T) {
		approver.In(t).Get(one).Has("To approve", "Decline and release seats",
			"Cheapest comparable (same times")
		approver.In(t).Post(one+"/decline", url.Values{"reason": {" "}}).Is(http.StatusUnprocessableEntity)
		approver.In(t).Post(one+"/decline", url.Values{"reason": {"take the train"}}).Shows(one, "declined",
			"take the train")
	})
	t.Run("several at once, and one that is decided already does not stop the others", func(t *testing.T) {
		approver.In(t).Post("/approvals", url.Values{"decide": {"approve"}}).Has("Tick at least one")
		approver.In(t).Post("/approvals", url.Values{"decide": {"decline"}, "booking": {id(two)}}).
			Has("Give a reason", `value="`+id(two)+`" checked`)
		approver.In(t).Post("/approvals", url.Values{"decide": {"approve"}, "booking": {id(one), id(two),
			id(three)}}).Is(http.StatusConflict, "2 bookings approved.", "Ingrid Holm declined it at 09:00 UTC.")
		booker.In(t).Get(two).Has("confirmed", "Issue tickets…")
	})
	t.Run("a change that costs more waits, with what it costs and who asked; it is approved or declined",
		func(t *testing.T) {
			in := apptest.Production(s)
			b := s.Booking(t, booker.In(t).Booked("fare=marine&rule=change"))
			approver.In(t).Submit("/bookings/" + b.ID + "/approve")
			by, _, err := s.DB.UserByEmail(t.Context(), "booker@example.com")
			apptest.Done(t, err)
			leg := gangway.Leg{Origin: gangway.Place(b.Itinerary.Route()[0]), Date: "2036-12-04"}
			leg.Destination = gangway.Place(b.Itinerary.Route()[len(b.Itinerary.Route())-1])
			offers := apptest.Must(s.Desk.FindChanges(t.Context(), in, b.ID, []gangway.Leg{leg}))(t)
			dear := slices.IndexFunc(offers, func(o flight.ChangeOffer) bool {
				return o.Price.Total.Minor > b.Price.Total.Minor
			})
			ask := func(t *testing.T) apptest.Answer {
				t.Helper()
				apptest.Must(s.Desk.AskChange(t.Context(), in, by, b.ID, offers[dear].ID))(t)
				return approver.In(t).Get("/approvals").Has("1 booking to approve", "change: ", "Ingrid Holm",
					offers[dear].Price.Total.Sub(b.Price.Total).Decimal(), "Every booking needs approval",
					"was "+string(leg.Destination)+b.Itinerary.Arrival().Format(" Mon 2 Jan")).
					Lacks("not known")
			}
			form := ask(t).Sent("/approvals")
			booker.In(t).Get("/").Has("change waits for approval by Ingrid Holm").
				Lacks(">Confirm…<", `class="button tight" href="/approvals">`)
			approver.In(t).Get("/").Has(`class="button tight" href="/approvals">`)
			form.Set("decline", b.ID)
			form.Set("reason-"+b.ID, "too dear")
			approver.In(t).Post("/approvals", form).Has("Nothing to approve", " declined.")
			booker.In(t).Get("/bookings/"+b.ID).Has("Still on hold", "too dear").Lacks("Change to confirm")
			form = ask(t).Sent("/approvals")
			form.Set("only", b.ID)
			approver.In(t).Post("/approvals", form).Has("Nothing to approve", " approved.")
			if b := s.Booking(t, "/bookings/"+b.ID); b.State != gangway.Confirmed || b.Price != offers[dear].Price {
				t.Errorf("it is %s at %v; want it changed", b.State, b.Price.Total)
			}
		})
}

func TestBookings(t *testing.T) {
	s := apptest.NewSite(t)
	c := s.SignedIn(t, gangway.Booker)
	c.Get("/bookings").Shows("/bookings", "No bookings yet")
	c.Booked("")
	c.Booked("fare=marine")
	list := s.Bookings(t)

	t.Run("all, and what the filters leave", func(t *testing.T) {
		c.In(t).Get("/bookings").Shows("/bookings", "2 bookings", list[0].Locator, list[1].Locator, "Nordlys",
			"booker@example.com")
		c.In(t).Get("/bookings?state=issued").Has("No bookings found")
		address := "/bookings?find=sant&vessel=nord&state=confirmed&by=booker@example.com&from=2036-11-01&to=2036-12-31"
		c.In(t).Get(address).Has("2 bookings found", list[0].Locator)
		c.In(t).Get("/bookings?by=Ingrid+Holm").Has("2 bookings found", list[0].Locator)
		c.In(t).Get("/bookings?by=Nobody").Has("No bookings found")
		c.In(t).Get("/bookings?offset=-5&state=nonsense").Has(list[0].Locator)
	})
	t.Run("a locator leads to its booking", func(t *testing.T) {
		c.In(t).Get("/bookings?find="+strings.ToLower(list[0].Locator)).Shows("/bookings/"+list[0].ID, "Itinerary")
	})
	t.Run("as a file", func(t *testing.T) {
		file := c.In(t).Get("/bookings.csv?vessel=nordlys")
		if got := file.Head.Get("Content-Type"); !strings.HasPrefix(got, "text/csv") {
			t.Fatalf("content type is %q", got)
		}
		rows, err := csv.NewReader(strings.NewReader(file.Body)).ReadAll()
		if err != nil || len(rows) != 3 || rows[0][0] != "locator" || !strings.Contains(file.Body, "\r\n") {
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
			c.In(t).Booked("")
		}
		first := c.In(t).Get("/bookings").Has("52 bookings", "Next")
		next := regexp.MustCompile(`href="(/bookings\?at=[^"]+)"`).FindStringSubmatch(first.Body)
		if next == nil {
			t.Fatal("there is no way to older bookings")
		}
		second := c.In(t).Get(next[1]).Has("Previous").Lacks("Next")
		if n := strings.Count(second.Body, "<a data-row"); n != 2 {
			t.Fatalf("the second page has %d bookings; want 2", n)
		}
	})
}

func TestAirlineChange(t *testing.T) {
	t.Run("what the airline offers instead is taken with one button", func(t *testing.T) {
		c := apptest.NewSite(t).SignedIn(t, gangway.Booker)
		path := c.Disturbed()
		c.Get(path).Has(path+"/schedule-change", `data-state="change_pending"`, "automatically")
		c.Get("/deadlines").Has("1 needs you before ", "1 schedule change", path+"/schedule-change")
		waits := c.Get(path+"/schedule-change").Has("Accept · nothing to pay", "If you reject: ")
		c.Post(path+"/confirm-change", waits.Form(path+"/confirm-change")).Has("Changed.", "issued")
	})
	t.Run("who leaves it is told what that means, and gets everything back", func(t *testing.T) {
		c := apptest.NewSite(t).SignedIn(t, gangway.Booker)
		path := c.Disturbed()
		c.Post(path+"/give-up-change", c.Get(path+"/schedule-change").Form(path+"/give-up-change")).
			Has("was rejected", "issued", "Cancel…", "Change…")
		c.Get(path + "/cancel").Has("Cancel")
	})
}
