package book_test

import (
	"strings"
	"testing"
	"time"

	"gangway/internal/book"
	"gangway/internal/book/flight"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// TestNothingBuysItselfBesideThePlan checks that a booking that nobody needs, or
// that does not fit today's plan, is not issued automatically, that a person is
// asked in time, and that it is issued once it fits again.
func TestNothingBuysItselfBesideThePlan(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		reference := "CC-8"
		upload := func(t *testing.T, c *counter, date gangway.Date, who ...gangway.Traveller) gangway.CrewChange {
			t.Helper()
			change := gangway.CrewChange{Vessel: "Nordlys", Flag: "NO", TravelRequestID: reference,
				ChangeAirport: "AMS", ChangeDate: date}
			for _, p := range who {
				change.OnSigners = append(change.OnSigners, gangway.CrewMember{Traveller: p})
			}
			must(c.in.UpsertCrewChanges(t.Context(), []gangway.CrewChange{change}, c.clock.Now()))(t)
			return change
		}
		held := func(t *testing.T) (*counter, gangway.Booking) {
			t.Helper()
			c := open(t, db, plain)
			s := book.SearchForCrewChange(upload(t, c, "2026-12-01", maria), "AMS", c.booker.Email, c.clock.Now())
			s.Uploaded = true
			done(t, c.in.SaveSearch(t.Context(), s))
			ask := c.ask(s, c.offer(t, s, func(o flight.Offer) bool {
				return marine(o)
			}))
			ask.AutoIssue = true
			b := must(c.Book(t.Context(), c.in, c.booker, ask))(t)
			return c, b
		}
		other := maria
		other.ID, other.LastName, other.DocNumber = "C-1002", "Reyes", "P7654321A"
		plans := []struct {
			name, words string
			change      func(t *testing.T, c *counter)
		}{
			{"a traveller left out by a later upload", "no longer in this crew change", func(t *testing.T, c *counter) {
				upload(t, c, "2026-12-01", other)
			}},
			{"a ship that comes four days later", "arrives on Tue 1 Dec; the ship is there on Sat 5 Dec",
				func(t *testing.T, c *counter) {
					upload(t, c, "2026-12-05", maria)
				}},
			{"a crew change that was taken back", "the crew change was taken back", func(t *testing.T, c *counter) {
				must(c.in.DeleteCrewChange(t.Context(), "id:CC-8"))(t)
			}},
		}
		for _, tt := range plans {
			t.Run(tt.name, func(t *testing.T) {
				c, b := held(t)
				tt.change(t, c)
				c.clock.to(b.IssueAt().Add(time.Second))
				c.tick(t)
				now := c.read(t, b.ID)
				if a := now.Attention; now.State != gangway.Confirmed || !a.Open() || !strings.Contains(a.Why,
					tt.words) || !strings.Contains(a.Why, b.HoldUntil.UTC().Format("Mon 2 Jan 15:04 UTC")) {
					t.Fatalf("at its time the booking is %s, %+v; want it held, and a person asked because %q",
						now.State, a, tt.words)
				}
				if next := now.CheckAt; next.Before(c.clock.Now().Add(time.Minute)) || next.After(b.TicketBy) {
					t.Fatalf("it is looked at again at %s; want a while after %s, before the seats end at %s", next,
						c.clock.Now(), b.TicketBy)
				}
				must(c.Handled(t.Context(), c.in, c.booker, b.ID))(t)
				c.clock.to(now.CheckAt.Add(time.Second))
				c.tick(t)
				if again := c.read(t, b.ID); again.Attention.Open() || again.State != gangway.Confirmed {
					t.Fatalf("a handled matter came back: %s, %+v", again.State, again.Attention)
				}
				c.wantLog(t, b.ID, "confirmed"+ana)
				upload(t, c, "2026-12-01", maria)
				c.tick(t)
				c.wantLog(t, b.ID, "confirmed"+ana, "issued"+system)
				if a := c.read(t, b.ID).Attention; a != nil {
					t.Fatalf("it fits again and was issued, but a person is still asked: %+v", a)
				}
			})
		}
		for _, tt := range plans {
			t.Run("raised as soon as it is known, days ahead: "+tt.name, func(t *testing.T) {
				c, b := held(t)
				tt.change(t, c)
				c.tick(t)
				now := c.read(t, b.ID)
				if a := now.Attention; !a.Open() || !strings.Contains(a.Why, tt.words) {
					t.Fatalf("at once %+v; want a person asked because %q", a, tt.words)
				}
				if !now.CheckAt.Equal(b.IssueAt()) {
					t.Fatalf("it is looked at again at %s; want %s, when it is to be issued", now.CheckAt, b.IssueAt())
				}
				if waits, err := c.in.Waits(t.Context()); err != nil || waits.Person != 1 {
					t.Fatalf("%d bookings need a person, %v; want 1", waits.Person, err)
				}
				upload(t, c, "2026-12-01", maria)
				c.tick(t)
				if a := c.read(t, b.ID).Attention; a != nil {
					t.Fatalf("it fits again, but a person is still asked: %+v", a)
				}
				c.clock.to(b.IssueAt().Add(time.Second))
				c.tick(t)
				c.wantLog(t, b.ID, "confirmed"+ana, "issued"+system)
			})
		}
		t.Run("a ship that was moved by hand", func(t *testing.T) {
			c, b := held(t)
			done(t, c.in.MoveCrewChange(t.Context(), "id:CC-8", gangway.ShipMove{Place: "AMS", Date: "2026-12-06",
				By: c.booker.Email, At: c.clock.Now()}))
			c.tick(t)
			if a := c.read(t, b.ID).Attention; !a.Open() || !strings.Contains(a.Why, "the ship is there on Sun 6 Dec") {
				t.Fatalf("at once %+v; want a person asked", a)
			}
		})
		t.Run("a plan that changed while seats were being held is noticed within a quarter of an hour",
			func(t *testing.T) {
				c, b := held(t)
				if soon := c.clock.Now().Add(15 * time.Minute); b.CheckAt.After(soon) {
					t.Fatalf("it is first looked at at %s; want %s at the latest", b.CheckAt, soon)
				}
			})
		t.Run("an unchanged upload, and changes for others, raise nothing", func(t *testing.T) {
			c, b := held(t)
			was := c.read(t, b.ID).CheckAt
			upload(t, c, "2026-12-01", maria)
			next := gangway.CrewChange{Vessel: "Polaris", TravelRequestID: "CC-9", ChangeDate: "2026-12-01",
				OnSigners: []gangway.CrewMember{{Traveller: other}}}
			must(c.in.UpsertCrewChanges(t.Context(), []gangway.CrewChange{next}, c.clock.Now()))(t)
			if now := c.read(t, b.ID).CheckAt; !now.Equal(was) {
				t.Fatalf("it is looked at at %s; want %s as before", now, was)
			}
		})
		t.Run("a booking that fits at the deadline is issued; one that never does is released", func(t *testing.T) {
			c, b := held(t)
			upload(t, c, "2026-12-01", other)
			for at := b.IssueAt(); at.Before(b.HoldUntil); at = at.Add(10 * time.Minute) {
				c.clock.to(at)
				c.tick(t)
			}
			c.clock.to(b.HoldUntil.Add(time.Second))
			c.tick(t)
			c.wantLog(t, b.ID, "confirmed"+ana, "cancelled"+system)
		})
		t.Run("a person may issue it all the same, or choose to let its hold end", func(t *testing.T) {
			c, b := held(t)
			upload(t, c, "2026-12-01", other)
			c.clock.to(b.IssueAt().Add(time.Second))
			c.tick(t)
			if b, err := c.SetAutoIssue(t.Context(), c.in, c.booker, b.ID, false); err != nil || b.Attention.Open() {
				t.Fatalf("with automatic issue switched off: %+v, %v; want nobody asked any more", b.Attention, err)
			}
			must(c.Issue(t.Context(), c.in, c.booker, b.ID, b.Price.Total))(t)
			c.wantLog(t, b.ID, "confirmed"+ana, "issued"+ana)
		})
		t.Run("nor while bookers are asked whether its crew change moved", func(t *testing.T) {
			reference = ""
			c, b := held(t)
			upload(t, c, "2026-12-15", maria)
			c.clock.to(b.IssueAt().Add(time.Second))
			c.tick(t)
			now, words := c.read(t, b.ID), book.Undecided
			if now.State != gangway.Confirmed || !now.Attention.Open() || !strings.Contains(now.Attention.Why, words) {
				t.Fatalf("at its time it is %s, %+v; want it held, and a person asked because %q", now.State,
					now.Attention, words)
			}
			asked, err := c.in.ChangeQuestions(t.Context(), b.Purpose.Change)
			if err != nil || len(asked) != 1 {
				t.Fatalf("asked is %v, %v", asked, err)
			}
			done(t, c.in.AnswerQuestion(t.Context(), storetest.Operator, asked[0].Older.Key(), asked[0].Newer.Key(),
				false, c.clock.Now()))
			c.tick(t)
			c.wantLog(t, b.ID, "confirmed"+ana, "issued"+system)
		})
	})
}

func (c *counter) read(t *testing.T, id string) gangway.Booking {
	t.Helper()
	b := must(c.in.Booking(t.Context(), id))(t)
	return b
}
