package sandbox_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"gangway/internal/book"
	"gangway/internal/book/flight"
	"gangway/internal/calltest"
	"gangway/internal/gangway"
	"gangway/internal/samplebookings"
	"gangway/internal/store/storetest"
)

// magicRow is a row of the guide's table: a surname, what happens, what one does, and the actions.
var magicRow = regexp.MustCompile("(?m)^\\| `(MAGIC[A-Z]+)` \\| ([^|]+) \\| ([^|]+) \\| ([^|]+) \\|$")

// What docs/reference.md says of magic travellers happens, and it names all of them.
func TestMagicTravellers(t *testing.T) {
	guide := calltest.Must(os.ReadFile("../../../docs/reference.md"))(t)
	var named []gangway.Magic
	b := open(t, storetest.New(t))
	for _, row := range magicRow.FindAllStringSubmatch(string(guide), -1) {
		named = append(named, gangway.Magic(row[1]))
		if says := gangway.Magic(row[1]).Words(); says != row[2] {
			t.Errorf("the sandbox's page says of %s that %q; the guide %q", row[1], says, row[2])
		}
		t.Run(row[1], func(t *testing.T) {
			m := magicBooking{box: b, name: row[1], id: book.NewID()}
			for _, do := range strings.Split(row[3], ", ") {
				m.do(t, do)
			}
			actions := []string{}
			if history, err := b.in(t).History(t.Context(), m.id); err != nil {
				t.Fatal(err)
			} else {
				for _, a := range history {
					actions = append(actions, "`"+string(a.Name)+"`")
				}
			}
			if got := strings.Join(actions, ", "); got != strings.ReplaceAll(row[4], "none", "") {
				t.Errorf("%s makes %s; the guide says %s", row[3], got, row[4])
			}
		})
	}
	if !slices.Equal(named, gangway.Magics) {
		t.Errorf("the guide names %v; want %v", named, gangway.Magics)
	}
}

// A magicBooking is the booking of a magic traveller, by somebody who does what the guide says.
type magicBooking struct {
	*box
	name, id string
	auto     bool // it is issued automatically
	atOnce   bool // it has to be
	booker   gangway.User
}

func (m *magicBooking) do(t *testing.T, what string) {
	t.Helper()
	in, ctx := m.in(t), t.Context()
	var err error
	switch verb, by, _ := strings.Cut(what, " "); verb {
	case "book":
		err = m.book(t)
	case "issue":
		b, found := in.Booking(ctx, m.id)
		price, asked := m.desk.PriceToIssue(ctx, in, b)
		if found != nil || asked != nil {
			t.Fatal(found, asked)
		}
		_, err = m.desk.Issue(ctx, in, m.booker, m.id, price.Total)
	case "cancel":
		quote, asked := m.desk.QuoteCancel(ctx, in, m.id)
		if asked != nil {
			t.Fatal(asked)
		}
		_, err = m.desk.Cancel(ctx, in, m.booker, m.id, quote.ID)
	case "advance":
		d, wrong := time.ParseDuration(by)
		if wrong != nil {
			t.Fatal(wrong)
		}
		m.now = m.now.Add(time.Minute)
		if err := m.desk.Tick(ctx); err != nil { // the follow-up of what was not answered
			t.Fatal(err)
		}
		m.advance(t, d)
		err = m.desk.Tick(ctx)
	default:
		t.Fatalf("nobody knows how to %q", what)
	}
	if err != nil && gangway.KindOf(err) != gangway.Conflict && gangway.KindOf(err) != gangway.Unavailable {
		t.Fatalf("%s: %v", what, err)
	}
}

// book books the first flights that can be changed and refunded.
func (m *magicBooking) book(t *testing.T) error {
	t.Helper()
	for seed := uint64(1); ; seed++ {
		in := m.in(t)
		var s gangway.Search
		s, m.booker, _ = samplebookings.Journey(seed, in.Now(m.now))
		s.ID = book.NewID()
		if m.name != "" {
			s.Members[0].Traveller.LastName = strings.ToLower(m.name[:5]) + " " + m.name[5:]
		}
		var offers []flight.Offer
		if err := m.desk.Search(t.Context(), in, s, func(f book.FoundOffers) {
			offers = append(offers, f.Offers...)
		}); err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(offers, func(o flight.Offer) bool {
			if m.atOnce {
				return o.TicketBy.Before(in.Now(m.now).Add(time.Hour))
			}
			return o.Terms.FareType == gangway.Marine
		})
		if i < 0 {
			continue // nothing is sold there
		}
		calltest.Done(t, in.SaveSearch(t.Context(), s))
		_, err := m.desk.Book(t.Context(), in, m.booker, book.BookAsk{ID: m.id, Search: s.ID, Offer: offers[i].ID,
			Price: offers[i].Price.Total, Passenger: s.Members[0].Traveller, AutoIssue: m.auto})
		return err
	}
}

// A booking that is to be issued automatically before its price ends is issued at its time, although the clock goes
// far beyond that.
func TestAdvanceStopsOnItsWay(t *testing.T) {
	b := open(t, storetest.New(t))
	m := magicBooking{box: b, id: book.NewID(), auto: true}
	m.do(t, "book")
	held := calltest.Must(b.in(t).Booking(t.Context(), m.id))(t)
	b.advance(t, 100*time.Hour)
	history, err := b.in(t).History(t.Context(), m.id)
	if err != nil || len(history) != 2 || history[1].Name != gangway.Issued || !history[1].At.Equal(held.IssuesAt()) {
		t.Errorf("after 100 hours: %+v, %v; want it issued at %s", history, err, held.IssuesAt())
	}
}

// An airline that answers late does so at its time, however soon the clock goes on and however far, and it is told.
func TestAdvanceHearsLateAnswers(t *testing.T) {
	b := open(t, storetest.New(t))
	m := magicBooking{box: b, name: string(gangway.MagicLate), id: book.NewID(), atOnce: true}
	m.do(t, "book")
	begun := b.in(t).Now(b.now)
	b.advance(t, 2*time.Minute)
	done := b.advance(t, 26*time.Hour)
	history, err := b.in(t).History(t.Context(), m.id)
	if err != nil || len(history) == 0 || history[0].At.Before(begun.Add(time.Hour)) ||
		history[0].At.After(begun.Add(65*time.Minute)) {
		t.Errorf("begun at %s: %+v, %v; want it confirmed an hour later", begun, history, err)
	}
	if len(done.Bookings) == 0 || done.Bookings[0].Booking != m.id ||
		!slices.Equal(done.Bookings[0].Actions, []gangway.State{gangway.Confirmed}) {
		t.Errorf("it is said %+v; want the booking, confirmed", done.Bookings)
	}
}

// A slip of the pen in a magic name is told, and nothing is booked.
func TestMistypedMagic(t *testing.T) {
	b := open(t, storetest.New(t))
	m := magicBooking{box: b, name: "MAGICTICKETS", id: book.NewID()}
	err := m.book(t)
	if gangway.KindOf(err) != gangway.Conflict || !strings.Contains(err.Error(), "MAGICTICKETS is no magic traveller") {
		t.Errorf("it is answered with %v; want it told", err)
	}
}

// In production and for others they are names like any other.
func TestMagicNames(t *testing.T) {
	for name, want := range map[string]gangway.Magic{"Magic Ticket": gangway.MagicTicket,
		"MAGICTICKET": gangway.MagicTicket, "Magica": "", "Magic": "", "Ticket": ""} {
		if got := gangway.MagicOf(name); got != want {
			t.Errorf("MagicOf(%q) = %q; want %q", name, got, want)
		}
	}
}
