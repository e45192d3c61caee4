package book_test

import (
	"context"
	"log/slog"
	"regexp"
	"slices"
	"sync"
	"testing"
	"time"

	"gangway/internal/book"
	"gangway/internal/book/flight"
	"gangway/internal/book/flight/manual"
	"gangway/internal/book/flight/sim"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// A clock is the time of a test; it moves only when it is told to.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// tick returns the time of a clock that does not stand still while things are done.
func (c *clock) tick() time.Time {
	c.forward(time.Millisecond)
	return c.Now()
}

func (c *clock) forward(d time.Duration) { c.to(c.Now().Add(d)) }

func (c *clock) to(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = t
}

// A counter is a desk together with everything that it needs.
type counter struct {
	*book.Desk
	db       *store.DB
	in       store.Scoped
	clock    *clock
	network  *sim.Network
	supplier flight.Supplier
	booker   gangway.User
	approver gangway.User
}

// open returns a counter on db, with the simulated network wrapped by wrap.
func open(t *testing.T, db *store.DB, wrap func(flight.Supplier) flight.Supplier) *counter {
	t.Helper()
	account := storetest.Account(t, db)
	c := &counter{
		db: db, in: db.In(account.Scope()), clock: &clock{now: time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)},
		booker:   gangway.User{Email: "ana@example.com", Name: "Ana Lindqvist", Role: gangway.Booker},
		approver: gangway.User{Email: "boris@example.com", Name: "Boris Okafor", Role: gangway.Approver},
	}
	network := must(sim.New(sim.Config{Now: c.clock.Now}))(t)
	c.network = network
	c.supplier = wrap(network.For(c.in.Ledger(), 0))
	c.Desk = book.New(book.Config{
		DB: db, Suppliers: c.sells,
		Now: c.clock.Now, Log: slog.New(slog.DiscardHandler),
	})
	return c
}

func (c *counter) sells(_ context.Context, in store.Scoped, name string) (flight.Supplier, error) {
	if name == flight.Elsewhere {
		return manual.New(in.Ledger(), nil, c.clock.Now), nil
	}
	return c.supplier, nil
}

func plain(s flight.Supplier) flight.Supplier { return s }

var maria = gangway.Traveller{
	ID: "C-1001", LastName: "Santos", FirstName: "Maria", DOB: "1990-04-30", Nationality: "PH", Gender: "F",
	DocCountry: "PH", DocNumber: "P1234567A", DocExpire: "2031-01-01", HomeAirport: "MNL",
}

// search stores a search for n travellers from Manila to a vessel at Rotterdam.
func (c *counter) search(t *testing.T, n int) gangway.Search {
	t.Helper()
	s := gangway.Search{ID: book.NewID(), By: c.booker.Email, CreatedAt: c.clock.Now(), Vessel: "Nordlys", Flag: "NO",
		Date: "2026-12-01", Airport: "AMS", ChangeID: "CC-7"}
	for i := range n {
		who := maria
		if i > 0 { // other people
			who.FirstName += " " + string(rune('A'+i))
		}
		s.Members = append(s.Members, gangway.SearchMember{
			Traveller: who, Side: gangway.OnSigner,
			Legs:   []gangway.Leg{{Origin: "MNL", Destination: "AMS", ArriveOn: "2026-12-01"}},
			Wishes: map[string]string{"MNL-AMS_flight_id": "F-9"},
		})
	}
	done(t, c.in.SaveSearch(t.Context(), s))
	return s
}

// offers returns the network's offers to a member of the search, sorted by price.
func (c *counter) offers(t *testing.T, s gangway.Search, member int) []flight.Offer {
	t.Helper()
	var offers []flight.Offer
	err := c.Search(t.Context(), c.in, s, func(f book.FoundOffers) {
		if f.Err != nil {
			t.Errorf("search for member %d: %v", f.Member, f.Err)
		}
		if f.Member == member {
			offers = append(offers, f.Offers...)
		}
	})
	if err != nil || len(offers) == 0 {
		t.Fatalf("Search = %d offers, %v; want some", len(offers), err)
	}
	slices.SortStableFunc(offers, func(a, b flight.Offer) int { return int(a.Price.Total.Minor - b.Price.Total.Minor) })
	return offers
}

// offer returns the cheapest offer that fits.
func (c *counter) offer(t *testing.T, s gangway.Search, fits func(flight.Offer) bool) flight.Offer {
	t.Helper()
	offers := c.offers(t, s, 0)
	i := slices.IndexFunc(offers, fits)
	if i < 0 {
		t.Fatalf("none of %d offers fits", len(offers))
	}
	return offers[i]
}

func any1(flight.Offer) bool { return true }

func marine(o flight.Offer) bool {
	return o.Terms.FareType == gangway.Marine && o.Terms.Cancellations == gangway.Refundable
}

func (c *counter) ask(s gangway.Search, o flight.Offer) book.BookAsk {
	return book.BookAsk{ID: book.NewID(), Search: s.ID, Offer: o.ID, Price: o.Price.Total, Cheapest: o.Price.Total,
		AutoIssue: true, Others: c.others()}
}

// others returns the existing bookings, so that a request can say that the booker knows them.
func (c *counter) others() (ids []string) {
	list, _, err := c.in.Bookings(context.Background(), store.BookingQuery{})
	if err != nil {
		panic(err)
	}
	for _, b := range list {
		ids = append(ids, b.ID)
	}
	return ids
}

// booked books the cheapest offer that fits.
func (c *counter) booked(t *testing.T, fits func(flight.Offer) bool) gangway.Booking {
	t.Helper()
	s := c.search(t, 1)
	b := must(c.Book(t.Context(), c.in, c.booker, c.ask(s, c.offer(t, s, fits))))(t)
	return b
}

// issued books a refundable marine fare and has it ticketed.
func (c *counter) issued(t *testing.T) gangway.Booking {
	t.Helper()
	b := c.booked(t, marine)
	b = must(c.Issue(t.Context(), c.in, c.booker, b.ID, b.Price.Total))(t)
	return b
}

// chosen returns the change offer that a booking waits with, as its page shows it.
func (c *counter) chosen(t *testing.T, id string) string {
	t.Helper()
	b := must(c.in.Booking(t.Context(), id))(t)
	if b.Change == nil {
		return ""
	}
	return b.Change.Offer
}

// wantLog fails unless the booking's log holds exactly these actions, numbered
// without gaps, and its last snapshot is the booking as it stands.
func (c *counter) wantLog(t *testing.T, id string, want ...string) {
	t.Helper()
	history, err := c.in.History(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i, a := range history {
		got = append(got, string(a.Name)+" "+a.By)
		if a.Seq != i+1 {
			t.Errorf("action %d is numbered %d", i+1, a.Seq)
		}
	}
	if !slices.Equal(got, want) {
		t.Fatalf("log = %q; want %q", got, want)
	}
	b := must(c.in.Booking(t.Context(), id))(t)
	last := history[len(history)-1]
	snapshots, err := c.in.Snapshots(t.Context(), []store.PulledBooking{{Booking: id, Actions: history}})
	if err != nil || len(snapshots) != 1 || snapshots[0].State != b.State || snapshots[0].Version != b.Version ||
		last.Name != b.State {
		t.Fatalf("last snapshots are %+v (%v); the booking is %s version %d", snapshots, err, b.State, b.Version)
	}
}

const (
	ana    = " ana@example.com"
	boris  = " boris@example.com"
	system = " system"
)

func TestBook(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		t.Run("a booking is confirmed, recorded and known by its locator", func(t *testing.T) {
			c := open(t, db, plain)
			b := c.booked(t, marine)
			if b.State != gangway.Confirmed || len(b.Locator) != 6 || b.Version != 1 || b.TicketBy.IsZero() ||
				len(b.Tickets) != 0 {
				t.Fatalf("booking is %s %q version %d, ticket by %s, tickets %q; want a confirmed one without tickets",
					b.State, b.Locator, b.Version, b.TicketBy, b.Tickets)
			}
			if b.Purpose.Vessel != "Nordlys" || b.Purpose.Side != gangway.OnSigner || b.Purpose.TravelRequestID !=
				"CC-7" || b.Purpose.FlightIDs["MNL-AMS_flight_id"] != "F-9" {
				t.Fatalf("purpose = %+v; want what the search knew", b.Purpose)
			}
			found, err := c.in.BookingByLocator(t.Context(), b.Locator)
			if err != nil || found.ID != b.ID {
				t.Fatalf("BookingByLocator = %s, %v; want %s", found.ID, err, b.ID)
			}
			c.wantLog(t, b.ID, "confirmed"+ana)
		})
		t.Run("the same form sent twice books once", func(t *testing.T) {
			c := open(t, db, plain)
			s := c.search(t, 1)
			ask := c.ask(s, c.offer(t, s, any1))
			first, err := c.Book(t.Context(), c.in, c.booker, ask)
			if err != nil {
				t.Fatal(err)
			}
			again, err := c.Book(t.Context(), c.in, c.booker, ask)
			if err != nil || again.Locator != first.Locator {
				t.Fatalf("second Book = %q, %v; want %q", again.Locator, err, first.Locator)
			}
		})
		t.Run("two people cannot book the same traveller of a search", func(t *testing.T) {
			c := open(t, db, plain)
			s := c.search(t, 1)
			offer := c.offer(t, s, any1)
			var wait sync.WaitGroup
			results := make([]error, 8)
			for i := range results {
				wait.Go(func() { _, results[i] = c.Book(t.Context(), c.in, c.booker, c.ask(s, offer)) })
			}
			wait.Wait()
			ok := 0
			for _, err := range results {
				if err == nil {
					ok++
				} else if gangway.KindOf(err) != gangway.Conflict {
					t.Errorf("Book = %v; want Conflict", err)
				}
			}
			list, _, err := c.in.Bookings(t.Context(), store.BookingQuery{Search: s.ID})
			if ok != 1 || len(list) != 1 || err != nil {
				t.Fatalf("%d of 8 booked, %d bookings, %v; want one", ok, len(list), err)
			}
		})
		t.Run("a price that is not the agreed one books nothing", func(t *testing.T) {
			c := open(t, db, plain)
			s := c.search(t, 1)
			ask := c.ask(s, c.offer(t, s, any1))
			ask.Price.Minor -= 100
			refused(t, gangway.Conflict)(c.Book(t.Context(), c.in, c.booker, ask))
			if list, _, _ := c.in.Bookings(t.Context(), store.BookingQuery{}); len(list) != 0 {
				t.Fatalf("%d bookings; want none", len(list))
			}
		})
		t.Run("an offer that has expired books nothing", func(t *testing.T) {
			c := open(t, db, plain)
			s := c.search(t, 1)
			ask := c.ask(s, c.offer(t, s, any1))
			c.clock.forward(2 * time.Hour)
			refused(t, gangway.Conflict)(c.Book(t.Context(), c.in, c.booker, ask))
		})
		t.Run("a passenger without a plausible date of birth is not booked", func(t *testing.T) {
			c := open(t, db, plain)
			s := c.search(t, 1)
			ask := c.ask(s, c.offer(t, s, any1))
			for _, dob := range []gangway.Date{"", "1899-12-31", "2990-01-01"} {
				ask.Passenger = maria
				ask.Passenger.DOB = dob
				if _, err := c.Book(t.Context(), c.in, c.booker, ask); gangway.KindOf(err) != gangway.Invalid {
					t.Fatalf("Book of somebody born on %q = %v; want Invalid", dob, err)
				}
			}
		})
		t.Run("another account does not see the booking", func(t *testing.T) {
			c, stranger := open(t, db, plain), open(t, db, plain)
			b := c.booked(t, any1)
			refused(t, gangway.NotFound)(stranger.in.Booking(t.Context(), b.ID))
			refused(t, gangway.NotFound)(stranger.Issue(t.Context(), stranger.in, stranger.booker, b.ID, b.Price.Total))
		})
	})
}

func TestApproval(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		waiting := func(t *testing.T) (*counter, gangway.Booking) {
			t.Helper()
			c := open(t, db, plain)
			storetest.Settings(t, c.in, gangway.Settings{Approval: gangway.ApprovalPolicy{Mode: gangway.ApproveAlways}})
			b := c.booked(t, marine)
			if b.State != gangway.ApprovalRequired || b.Approval == nil || b.Approval.Why == "" {
				t.Fatalf("booking is %s, approval %+v; want it to wait and say why", b.State, b.Approval)
			}
			return c, b
		}
		t.Run("approved, it goes ahead", func(t *testing.T) {
			c, b := waiting(t)
			b, err := c.Approve(t.Context(), c.in, c.approver, b.ID)
			if err != nil || b.State != gangway.Confirmed {
				t.Fatalf("Approve = %s, %v; want confirmed", b.State, err)
			}
			c.wantLog(t, b.ID, "approval_required"+ana, "confirmed"+boris)
		})
		t.Run("declined, its seats are given back", func(t *testing.T) {
			c, b := waiting(t)
			b, err := c.Decline(t.Context(), c.in, c.approver, b.ID, "too dear")
			if err != nil || b.State != gangway.Declined {
				t.Fatalf("Decline = %s, %v; want declined", b.State, err)
			}
			order, err := c.supplier.Order(t.Context(), b.Order)
			if err != nil || order.Status != flight.Withdrawn {
				t.Fatalf("the order is %s, %v; want it withdrawn", order.Status, err)
			}
			c.wantLog(t, b.ID, "approval_required"+ana, "declined"+boris)
		})
		t.Run("nobody decided before the hold ends", func(t *testing.T) {
			c, b := waiting(t)
			c.clock.to(b.HoldUntil.Add(time.Second))
			refused(t, gangway.Conflict)(c.Approve(t.Context(), c.in, c.approver, b.ID))
			done(t, c.Tick(t.Context()))
			c.wantLog(t, b.ID, "approval_required"+ana, "declined"+system)
		})
		t.Run("a booker may not decide", func(t *testing.T) {
			c, b := waiting(t)
			refused(t, gangway.Denied)(c.Approve(t.Context(), c.in, c.booker, b.ID))
			refused(t, gangway.Denied)(c.Decline(t.Context(), c.in, c.booker, b.ID, "no"))
			c.wantLog(t, b.ID, "approval_required"+ana)
		})
		t.Run("no tickets before approval", func(t *testing.T) {
			c, b := waiting(t)
			refused(t, gangway.Conflict)(c.Issue(t.Context(), c.in, c.approver, b.ID, b.Price.Total))
		})
	})
}

func TestIssueAndCancel(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		t.Run("issuing returns tickets", func(t *testing.T) {
			c := open(t, db, plain)
			b := c.issued(t)
			if b.State != gangway.Issued || len(b.Tickets) == 0 || len(b.Tickets[0]) != 13 {
				t.Fatalf("booking is %s with tickets %q; want issued with 13 digits", b.State, b.Tickets)
			}
			c.wantLog(t, b.ID, "confirmed"+ana, "issued"+ana)
		})
		t.Run("a confirmed booking is cancelled at no cost", func(t *testing.T) {
			c := open(t, db, plain)
			b := c.booked(t, any1)
			b = c.cancel(t, b)
			if b.State != gangway.Cancelled || b.Refund != nil {
				t.Fatalf("booking is %s, refund %+v; want cancelled without one", b.State, b.Refund)
			}
			c.wantLog(t, b.ID, "confirmed"+ana, "cancelled"+ana)
		})
		t.Run("within the void period it is cancelled at once", func(t *testing.T) {
			c := open(t, db, plain)
			b := c.issued(t)
			quote, err := c.QuoteCancel(t.Context(), c.in, b.ID)
			if err != nil || !quote.Void {
				t.Fatalf("QuoteCancel = %+v, %v; want a void", quote, err)
			}
			b = c.cancel(t, b)
			c.wantLog(t, b.ID, "confirmed"+ana, "issued"+ana, "cancelled"+ana)
		})
		t.Run("after the void period the refund is pending until it comes", func(t *testing.T) {
			c := open(t, db, plain)
			b := c.issued(t)
			c.clock.to(b.VoidUntil.Add(time.Hour))
			quote, err := c.QuoteCancel(t.Context(), c.in, b.ID)
			if err != nil || quote.Void || quote.Refund.IsZero() {
				t.Fatalf("QuoteCancel = %+v, %v; want a refund", quote, err)
			}
			b = c.cancel(t, b)
			if b.State != gangway.RefundPending || b.Refund == nil || b.Refund.Amount != quote.Refund {
				t.Fatalf("booking is %s, refund %+v; want refund_pending of %s", b.State, b.Refund, quote.Refund)
			}
			for range 200 {
				if b, _ = c.in.Booking(t.Context(), b.ID); b.State != gangway.RefundPending {
					break
				}
				c.clock.forward(time.Hour)
				done(t, c.Tick(t.Context()))
			}
			c.wantLog(t, b.ID, "confirmed"+ana, "issued"+ana, "refund_pending"+ana, "cancelled"+system)
		})
		t.Run("a cancelled booking allows nothing more", func(t *testing.T) {
			c := open(t, db, plain)
			b := c.cancel(t, c.booked(t, any1))
			refused(t, gangway.Conflict)(c.Issue(t.Context(), c.in, c.booker, b.ID, b.Price.Total))
			refused(t, gangway.Conflict)(c.QuoteCancel(t.Context(), c.in, b.ID))
			refused(t, gangway.Conflict)(c.GiveUpChange(t.Context(), c.in, c.booker, b.ID))
		})
		t.Run("two people acting at once: one wins, and the airline agrees with the log", func(t *testing.T) {
			c := open(t, db, plain)
			for range 6 {
				b := c.booked(t, marine)
				quote := must(c.QuoteCancel(t.Context(), c.in, b.ID))(t)
				var wait sync.WaitGroup
				var issueErr, cancelErr error
				wait.Go(func() { _, issueErr = c.Issue(t.Context(), c.in, c.booker, b.ID, b.Price.Total) })
				wait.Go(func() { _, cancelErr = c.Cancel(t.Context(), c.in, c.approver, b.ID, quote.ID) })
				wait.Wait()
				order := must(c.supplier.Order(t.Context(), b.Order))(t)
				switch {
				case issueErr == nil && gangway.KindOf(cancelErr) == gangway.Conflict:
					c.wantLog(t, b.ID, "confirmed"+ana, "issued"+ana)
					if order.Status != flight.Ticketed {
						t.Errorf("the order is %s; want ticketed", order.Status)
					}
				case cancelErr == nil && gangway.KindOf(issueErr) == gangway.Conflict:
					c.wantLog(t, b.ID, "confirmed"+ana, "cancelled"+boris)
					if order.Status != flight.Withdrawn {
						t.Errorf("the order is %s; want withdrawn", order.Status)
					}
				default:
					t.Fatalf("Issue = %v, Cancel = %v; want exactly one to win and the other a Conflict", issueErr,
						cancelErr)
				}
			}
		})
	})
}

func (c *counter) cancel(t *testing.T, b gangway.Booking) gangway.Booking {
	t.Helper()
	quote := must(c.QuoteCancel(t.Context(), c.in, b.ID))(t)
	b = must(c.Cancel(t.Context(), c.in, c.booker, b.ID, quote.ID))(t)
	return b
}

func TestChange(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		asked := func(t *testing.T, ticketed bool) (*counter, gangway.Booking) {
			t.Helper()
			c := open(t, db, plain)
			b := c.booked(t, func(o flight.Offer) bool {
				return o.Terms.FareType == gangway.Marine && o.Terms.Changes != gangway.NoChange
			})
			if ticketed {
				var err error
				if b, err = c.Issue(t.Context(), c.in, c.booker, b.ID, b.Price.Total); err != nil {
					t.Fatal(err)
				}
			}
			offers, err := c.FindChanges(t.Context(), c.in, b.ID,
				[]gangway.Leg{{Origin: "MNL", Destination: "AMS", Date: "2026-12-03"}})
			if err != nil || len(offers) == 0 {
				t.Fatalf("FindChanges = %d offers, %v; want some", len(offers), err)
			}
			b, err = c.AskChange(t.Context(), c.in, c.booker, b.ID, offers[0].ID)
			if err != nil || b.State != gangway.ChangePending || b.Change == nil {
				t.Fatalf("AskChange = %s, %v; want change_pending", b.State, err)
			}
			return c, b
		}
		t.Run("once confirmed, the booking has its new flights and is issued again", func(t *testing.T) {
			c, b := asked(t, true)
			b, err := c.ConfirmChange(t.Context(), c.in, c.booker, b.ID, c.chosen(t, b.ID))
			if err != nil || b.State != gangway.Issued || gangway.DateOf(b.Itinerary.Departure()) != "2026-12-03" ||
				b.Change != nil {
				t.Fatalf("ConfirmChange = %s, leaves %s, %v; want issued for 2026-12-03", b.State,
					b.Itinerary.Departure(), err)
			}
			c.wantLog(t, b.ID, "confirmed"+ana, "issued"+ana, "change_pending"+ana, "issued"+ana)
		})
		t.Run("the offer's connections are kept with the booking, and with the flights it is changed to",
			func(t *testing.T) {
				c := open(t, db, plain)
				said := func(it gangway.Itinerary) bool { return len(it.Connections) > 0 }
				b := c.booked(t, func(o flight.Offer) bool {
					return said(o.Itinerary) && o.Terms.Changes != gangway.NoChange
				})
				if !said(b.Itinerary) {
					t.Fatal("the booking lacks the connections of its offer")
				}
				offers, err := c.FindChanges(t.Context(), c.in, b.ID,
					[]gangway.Leg{{Origin: "MNL", Destination: "AMS", Date: "2026-12-03"}})
				if err != nil {
					t.Fatal(err)
				}
				o := offers[slices.IndexFunc(offers, func(o flight.ChangeOffer) bool { return said(o.Itinerary) })]
				if b, err = c.AskChange(t.Context(), c.in, c.booker, b.ID, o.ID); err != nil ||
					!slices.Equal(b.Change.Itinerary.Connections, o.Itinerary.Connections) {
					t.Fatalf("the pending change has %+v, %v; want %+v", b.Change, err, o.Itinerary.Connections)
				}
				if b, err = c.ConfirmChange(t.Context(), c.in, c.booker, b.ID, o.ID); err != nil ||
					!slices.Equal(b.Itinerary.Connections, o.Itinerary.Connections) {
					t.Fatalf("after the change the booking has %+v, %v; want %+v", b.Itinerary.Connections, err,
						o.Itinerary.Connections)
				}
			})
		t.Run("a booking without tickets is confirmed again", func(t *testing.T) {
			c, b := asked(t, false)
			b, err := c.ConfirmChange(t.Context(), c.in, c.booker, b.ID, c.chosen(t, b.ID))
			if err != nil || b.State != gangway.Confirmed {
				t.Fatalf("ConfirmChange = %s, %v; want confirmed", b.State, err)
			}
		})
		t.Run("a change is confirmed only as the person has seen it, not as chosen since", func(t *testing.T) {
			c, b := asked(t, true)
			seen := c.chosen(t, b.ID)
			must(c.GiveUpChange(t.Context(), c.in, c.approver, b.ID))(t)
			offers := must(c.FindChanges(t.Context(), c.in, b.ID,
				[]gangway.Leg{{Origin: "MNL", Destination: "AMS", Date: "2026-12-04"}}))(t)
			must(c.AskChange(t.Context(), c.in, c.approver, b.ID, offers[0].ID))(t)
			refused(t, gangway.Conflict)(c.ConfirmChange(t.Context(), c.in, c.booker, b.ID, seen))
			if now, err := c.in.Booking(t.Context(), b.ID); err != nil || now.State != gangway.ChangePending {
				t.Fatalf("the booking is %s, %v; want it as it was", now.State, err)
			}
		})
		t.Run("a change that raises the price is confirmed by an approver, if the account requires that",
			func(t *testing.T) {
				for _, ticketed := range []bool{true, false} {
					c, b := asked(t, ticketed)
					if b.Change.NewPrice.Total.Minor <= b.Price.Total.Minor {
						t.Fatalf("the change costs %s instead of %s; the test needs a higher price",
							b.Change.NewPrice.Total,
							b.Price.Total)
					}
					storetest.Settings(t, c.in,
						gangway.Settings{Approval: gangway.ApprovalPolicy{Mode: gangway.ApproveAlways}})
					refused(t, gangway.Denied)(c.ConfirmChange(t.Context(), c.in, c.booker, b.ID, b.Change.Offer))
					own := c.booker
					own.Role = gangway.Approver
					refused(t, gangway.Denied)(c.ConfirmChange(t.Context(), c.in, own, b.ID, b.Change.Offer))
					must(c.ConfirmChange(t.Context(), c.in, c.approver, b.ID, b.Change.Offer))(t)
				}
			})
		t.Run("an abandoned change leaves the booking as it was", func(t *testing.T) {
			c, b := asked(t, true)
			b, err := c.GiveUpChange(t.Context(), c.in, c.booker, b.ID)
			if err != nil || b.State != gangway.Issued || gangway.DateOf(b.Itinerary.Departure()) == "2026-12-03" {
				t.Fatalf("GiveUpChange = %s, leaves %s, %v; want issued as before", b.State, b.Itinerary.Departure(),
					err)
			}
			c.wantLog(t, b.ID, "confirmed"+ana, "issued"+ana, "change_pending"+ana, "issued"+ana)
		})
		t.Run("when the offer expires, the system abandons the change", func(t *testing.T) {
			c, b := asked(t, true)
			c.clock.to(b.Change.Expires.Add(time.Second))
			done(t, c.Tick(t.Context()))
			c.wantLog(t, b.ID, "confirmed"+ana, "issued"+ana, "change_pending"+ana, "issued"+system)
		})
	})
}

func TestAutomatedUser(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		t.Run("issues ahead of the ticketing deadline", func(t *testing.T) {
			c := open(t, db, plain)
			b := c.booked(t, marine)
			c.clock.to(b.IssueAt().Add(-time.Second))
			c.tick(t)
			c.wantLog(t, b.ID, "confirmed"+ana)
			c.clock.to(b.IssueAt().Add(time.Second))
			c.tick(t)
			c.wantLog(t, b.ID, "confirmed"+ana, "issued"+system)
		})
		t.Run("releases what was not to be issued automatically", func(t *testing.T) {
			c := open(t, db, plain)
			s := c.search(t, 1)
			ask := c.ask(s, c.offer(t, s, marine))
			ask.AutoIssue = false
			b := must(c.Book(t.Context(), c.in, c.booker, ask))(t)
			c.clock.to(b.TicketBy.Add(-time.Second))
			c.tick(t)
			c.wantLog(t, b.ID, "confirmed"+ana)
			c.clock.to(b.HoldUntil.Add(time.Second))
			c.tick(t)
			c.wantLog(t, b.ID, "confirmed"+ana, "cancelled"+system)
		})
		t.Run("an early check does not cancel the scheduled one", func(t *testing.T) {
			c := open(t, db, plain)
			b := c.booked(t, marine)
			done(t, c.LookAtOrder(t.Context(), c.in, b.Supplier, b.Order))
			c.tick(t)
			c.wantLog(t, b.ID, "confirmed"+ana)
			c.clock.to(b.IssueAt().Add(time.Second))
			c.tick(t)
			c.wantLog(t, b.ID, "confirmed"+ana, "issued"+system)
		})
		t.Run("with many replicas, each piece of work is done by one", func(t *testing.T) {
			c := open(t, db, plain)
			s := c.search(t, 6)
			offer := c.offer(t, s, marine)
			var ids []string
			for i := range s.Members {
				ask := c.ask(s, offer)
				ask.Member = i
				b := must(c.Book(t.Context(), c.in, c.booker, ask))(t)
				ids = append(ids, b.ID)
			}
			b, _ := c.in.Booking(t.Context(), ids[0])
			c.clock.to(b.IssueAt().Add(time.Second))
			replica := book.New(book.Config{DB: db, Suppliers: c.sells, Now: c.clock.Now,
				Log: slog.New(slog.DiscardHandler)})
			var wait sync.WaitGroup
			for _, d := range []*book.Desk{c.Desk, replica, c.Desk, replica} {
				wait.Go(func() {
					if err := d.Tick(context.WithoutCancel(t.Context())); err != nil {
						t.Error(err)
					}
				})
			}
			wait.Wait()
			for _, id := range ids {
				c.wantLog(t, id, "confirmed"+ana, "issued"+system)
			}
		})
	})
}

func (c *counter) tick(t *testing.T) {
	t.Helper()
	done(t, c.Tick(t.Context()))
}

// TestIdentifiersInOrder: what is made later sorts later, by bytes, so that it lies beside what was made just before.
func TestIdentifiersInOrder(t *testing.T) {
	seen, known := map[string]bool{}, regexp.MustCompile(`^[a-z2-7]+$`)
	last := ""
	for range 3 {
		for range 1000 {
			id := book.NewID()
			if len(id) != 26 || !known.MatchString(id) || seen[id] || id[:9] < last {
				t.Fatalf("%q comes after %q", id, last)
			}
			seen[id], last = true, id[:9]
		}
		for at := last; book.NewID()[:9] == at; { // until the next millisecond
		}
	}
}
