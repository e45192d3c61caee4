package book_test

import (
	"context"
	"strings"
	"testing"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// A listener is a supplier that remembers the passengers of its holds.
type listener struct {
	flight.Supplier
	heard []gangway.Traveller
}

func (*listener) LongestName() int { return 20 }

func (l *listener) Hold(ctx context.Context, ask flight.HoldAsk) (flight.Order, error) {
	l.heard = append(l.heard, ask.Passenger)
	return l.Supplier.Hold(ctx, ask)
}

// TestNamesOnTickets checks how a name reaches the supplier, what stays with the
// booking, and that nothing is held for a name that no ticket can carry.
func TestNamesOnTickets(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		c := open(t, db)
		ear := &listener{Supplier: c.line}
		c.supplier = ear
		tests := []struct {
			name        string
			last, first string
			typed       gangway.TicketName
			printed     string // LAST/FIRST as the supplier gets it; empty: refused
			why         string
		}{
			{"plain letters", "Santos", "Maria", gangway.TicketName{}, "SANTOS/MARIA", ""},
			{"letters with marks", "Müller-Lüdenscheidt", "Jörg", gangway.TicketName{}, "",
				"the last name has 21 letters on a ticket and the airline takes 20"},
			{"a hyphen and an apostrophe", "O'Brien-Smith", "Åse", gangway.TicketName{}, "OBRIEN SMITH/AASE", ""},
			{"Cyrillic", "Вознесенский", "Юлия", gangway.TicketName{}, "VOZNESENSKII/IULIIA", ""},
			{"Chinese", "王", "Xiaoming", gangway.TicketName{}, "",
				"王, Xiaoming: the last name cannot be written in the letters of a ticket"},
			{"Chinese, completed by a person", "王", "小明", gangway.TicketName{Last: "Wang", First: "Xiaoming"},
				"WANG/XIAOMING", ""},
			{"typed in other letters again", "王", "小明", gangway.TicketName{Last: "王", First: "Xiaoming"}, "",
				"the last name cannot be written"},
			{"too long", "Santos", "Maria Alexandra Theodora", gangway.TicketName{}, "",
				"the first names have 24 letters on a ticket and the airline takes 20"},
			{"too long, shortened by a person", "Santos", "Maria Alexandra Theodora",
				gangway.TicketName{First: "Maria Alexandra"}, "SANTOS/MARIA ALEXANDRA", ""},
			{"shortened but still too long", "Santos", "Maria",
				gangway.TicketName{Last: strings.Repeat("A", 21)}, "", "the last name has 21 letters"},
		}
		for _, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				s := c.search(t, 1)
				ask := c.ask(s, c.offer(t, s, any1))
				ask.Passenger = maria
				ask.Passenger.LastName, ask.Passenger.FirstName, ask.Passenger.OnTicket = tt.last, tt.first, tt.typed
				before := len(ear.heard)
				b, err := c.Book(t.Context(), c.in, c.booker, ask)
				if tt.why != "" {
					if gangway.KindOf(err) != gangway.Invalid || !strings.Contains(err.Error(), tt.why) ||
						len(ear.heard) != before {
						t.Fatalf("Book = %v after %d calls; want it refused before anybody is asked: %s", err,
							len(ear.heard)-before, tt.why)
					}
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				told := ear.heard[len(ear.heard)-1]
				if got := told.LastName + "/" + told.FirstName; got != tt.printed {
					t.Errorf("the supplier got %s; want %s", got, tt.printed)
				}
				if p := b.Passenger; p.LastName != tt.last || p.FirstName != tt.first || p.TicketName().String() !=
					tt.printed {
					t.Errorf("the booking has %s, %s and the ticket %s; want the name as it was sent beside that of "+
						"the ticket", p.LastName, p.FirstName, p.TicketName())
				}
			})
		}
		if got := c.LongestName(t.Context(), c.in); got != 20 {
			t.Errorf("LongestName = %d; want the supplier's", got)
		}
	})
}
