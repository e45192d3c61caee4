package book_test

import (
	"context"
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gangway/internal/book"
	"gangway/internal/book/flight"
	"gangway/internal/book/flight/flighttest"
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
	line     *flighttest.Faulty // to the network, between it and supplier
	booker   gangway.User
	approver gangway.User

	story  string        // the booking that a story is about
	seed   int64         // by which its airline has changed its flights
	notice flight.Notice // what the airline has told of that
}

// open returns a counter on db that sells the simulated network's flights.
func open(t *testing.T, db *store.DB) *counter {
	t.Helper()
	account := storetest.Account(t, db)
	c := &counter{
		db: db, in: db.In(account.Scope()), clock: &clock{now: time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)},
		booker:   gangway.User{Email: "ana@example.com", Name: "Ana Lindqvist", Role: gangway.Booker},
		approver: gangway.User{Email: "boris@example.com", Name: "Boris Okafor", Role: gangway.Approver},
	}
	c.network = must(sim.New(sim.Config{Now: c.clock.Now}))(t)
	c.line = flighttest.NewFaulty(c.network.For(c.in.Ledger(), 0))
	c.supplier = c.line
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
	return must(c.Book(t.Context(), c.in, c.booker, c.ask(s, c.offer(t, s, fits))))(t)
}

// issued books a refundable marine fare and has it ticketed.
func (c *counter) issued(t *testing.T) gangway.Booking {
	t.Helper()
	b := c.booked(t, marine)
	return must(c.Issue(t.Context(), c.in, c.booker, b.ID, b.Price.Total))(t)
}

// now returns a booking as it stands.
func (c *counter) now(t *testing.T, id string) gangway.Booking {
	t.Helper()
	return must(c.in.Booking(t.Context(), id))(t)
}

// wantLog fails unless the booking's log holds exactly these actions, as in "issued ana", numbered without gaps,
// and its last snapshot is the booking as it stands.
func (c *counter) wantLog(t *testing.T, id string, want ...string) {
	t.Helper()
	history, err := c.in.History(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i, a := range history {
		by, _, _ := strings.Cut(a.By, "@")
		got = append(got, string(a.Name)+" "+by)
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

func TestBook(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		t.Run("a booking is confirmed, recorded and known by its locator", func(t *testing.T) {
			c := open(t, db)
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
			c.wantLog(t, b.ID, "confirmed ana")
		})
		t.Run("the same form sent twice books once", func(t *testing.T) {
			c := open(t, db)
			s := c.search(t, 1)
			ask := c.ask(s, c.offer(t, s, any1))
			first := must(c.Book(t.Context(), c.in, c.booker, ask))(t)
			if again := must(c.Book(t.Context(), c.in, c.booker, ask))(t); again.Locator != first.Locator {
				t.Fatalf("second Book = %q; want %q", again.Locator, first.Locator)
			}
		})
		t.Run("one traveller is held once, however many people book at the same moment", func(t *testing.T) {
			for _, searches := range []int{1, 8} { // all in one search, or each in their own, without knowing of others
				c := open(t, db)
				asks := make([]book.BookAsk, 8)
				for i := range asks {
					if i < searches {
						s := c.search(t, 1)
						asks[i] = c.ask(s, c.offer(t, s, marine))
						continue
					}
					asks[i] = asks[0]
					asks[i].ID = book.NewID()
				}
				var wait sync.WaitGroup
				var held atomic.Int64
				for _, ask := range asks {
					ask.Others = nil
					wait.Go(func() {
						if _, err := c.Book(t.Context(), c.in, c.booker, ask); err == nil {
							held.Add(1)
						} else if gangway.KindOf(err) != gangway.Conflict {
							t.Errorf("Book = %v; want Conflict", err)
						}
					})
				}
				wait.Wait()
				if held.Load() != 1 || len(c.others()) != 1 {
					t.Fatalf("%d of 8 were held, %d bookings; want one", held.Load(), len(c.others()))
				}
			}
		})
		t.Run("a price that is not the agreed one books nothing", func(t *testing.T) {
			c := open(t, db)
			s := c.search(t, 1)
			ask := c.ask(s, c.offer(t, s, any1))
			ask.Price.Minor -= 100
			refused(t, gangway.Conflict)(c.Book(t.Context(), c.in, c.booker, ask))
			if list, _, _ := c.in.Bookings(t.Context(), store.BookingQuery{}); len(list) != 0 {
				t.Fatalf("%d bookings; want none", len(list))
			}
		})
		t.Run("an offer that has expired books nothing", func(t *testing.T) {
			c := open(t, db)
			s := c.search(t, 1)
			ask := c.ask(s, c.offer(t, s, any1))
			c.clock.forward(2 * time.Hour)
			refused(t, gangway.Conflict)(c.Book(t.Context(), c.in, c.booker, ask))
		})
		t.Run("a passenger without a plausible date of birth is not booked", func(t *testing.T) {
			c := open(t, db)
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
			c, stranger := open(t, db), open(t, db)
			b := c.booked(t, any1)
			refused(t, gangway.NotFound)(stranger.in.Booking(t.Context(), b.ID))
			refused(t, gangway.NotFound)(stranger.Issue(t.Context(), stranger.in, stranger.booker, b.ID, b.Price.Total))
		})
	})
}

// Of two people who act at once one wins, and the airline agrees with the log.
func TestIssueBesideCancel(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		c := open(t, db)
		for range 6 {
			b := c.booked(t, marine)
			quote := must(c.QuoteCancel(t.Context(), c.in, b.ID))(t)
			var wait sync.WaitGroup
			var issueErr, cancelErr error
			wait.Go(func() { _, issueErr = c.Issue(t.Context(), c.in, c.booker, b.ID, b.Price.Total) })
			wait.Go(func() { _, cancelErr = c.Cancel(t.Context(), c.in, c.approver, b.ID, quote.ID) })
			wait.Wait()
			lost, log, status := cancelErr, "issued ana", flight.Ticketed
			if cancelErr == nil {
				lost, log, status = issueErr, "cancelled boris", flight.Withdrawn
			}
			refused(t, gangway.Conflict)(nil, lost)
			c.wantLog(t, b.ID, "confirmed ana", log)
			if order := must(c.supplier.Order(t.Context(), b.Order))(t); order.Status != status {
				t.Errorf("the order is %s; want %s", order.Status, status)
			}
		}
	})
}

func TestChange(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		t.Run("the offer's connections are kept with the booking, and with the flights it is changed to",
			func(t *testing.T) {
				c := open(t, db)
				said := func(it gangway.Itinerary) bool { return len(it.Connections) > 0 }
				b := c.booked(t, func(o flight.Offer) bool {
					return said(o.Itinerary) && o.Terms.Changes != gangway.NoChange
				})
				if !said(b.Itinerary) {
					t.Fatal("the booking lacks the connections of its offer")
				}
				offers := must(c.FindChanges(t.Context(), c.in, b.ID,
					[]gangway.Leg{{Origin: "MNL", Destination: "AMS", Date: "2026-12-03"}}))(t)
				o := offers[slices.IndexFunc(offers, func(o flight.ChangeOffer) bool { return said(o.Itinerary) })]
				asked := must(c.AskChange(t.Context(), c.in, c.booker, b.ID, o.ID))(t)
				changed := must(c.ConfirmChange(t.Context(), c.in, c.booker, b.ID, o.ID))(t)
				for _, it := range []gangway.Itinerary{asked.Change.Itinerary, changed.Itinerary} {
					if !slices.Equal(it.Connections, o.Itinerary.Connections) {
						t.Fatalf("the flights have %+v; want %+v", it.Connections, o.Itinerary.Connections)
					}
				}
			})
		t.Run("a change that raises the price is confirmed by an approver, if the account requires that",
			func(t *testing.T) {
				for _, begin := range []step{held, all(held, issue)} {
					c := open(t, db)
					done(t, all(begin, askChange("2026-12-03"))(t, c, gangway.Booking{}))
					b := c.now(t, c.story)
					if b.Change.NewPrice.Total.Minor <= b.Price.Total.Minor {
						t.Fatalf("the change costs %s instead of %s; the test needs a higher price",
							b.Change.NewPrice.Total, b.Price.Total)
					}
					storetest.Settings(t, c.in, always)
					own := c.booker
					own.Role = gangway.Approver
					for _, u := range []gangway.User{c.booker, own} {
						refused(t, gangway.Denied)(c.ConfirmChange(t.Context(), c.in, u, b.ID, b.Change.Offer))
					}
					must(c.ConfirmChange(t.Context(), c.in, c.approver, b.ID, b.Change.Offer))(t)
				}
			})
	})
}

// With many replicas, each piece of work is done by one.
func TestReplicasShareTheWork(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		c := open(t, db)
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
			c.wantLog(t, id, "confirmed ana", "issued system")
		}
	})
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
