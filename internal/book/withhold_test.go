package book_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"gangway/internal/book"
	"gangway/internal/gangway"
	"gangway/internal/store/storetest"
)

// TestNothingBuysItselfBesideThePlan checks that a booking that nobody needs, or
// that does not fit today's plan, is not issued automatically, that a person is
// asked in time, and that it is issued once it fits again.
func TestNothingBuysItselfBesideThePlan(t *testing.T) {
	other := maria
	other.ID, other.LastName, other.DocNumber = "C-1002", "Reyes", "P7654321A"
	var was time.Time // when it is looked at
	fits := upload("CC-8", "2026-12-01", maria)
	atIssue := all(at(issueAt, time.Second), tick)
	unasked := so(func(b gangway.Booking) bool { return b.Attention == nil })
	stories := []story{
		{"a ship moved by hand", steps(planned("CC-8"), func(t *testing.T, c *counter, _ gangway.Booking) error {
			return c.in.MoveCrewChange(t.Context(), "id:CC-8", gangway.ShipMove{Place: "AMS", Date: "2026-12-06",
				By: c.booker.Email, At: c.clock.Now()})
		}, tick, asksBecause("ship 6 Dec")), "confirmed ana"},
		{"a plan that changed while seats were being held is noticed within a quarter of an hour",
			steps(planned("CC-8"), nextLook(0, 15*time.Minute)), "confirmed ana"},
		{"an unchanged upload, and changes for others, raise nothing", steps(planned("CC-8"),
			so(func(b gangway.Booking) bool { was = b.CheckAt; return true }), fits,
			upload("CC-9", "2026-12-01", other),
			so(func(b gangway.Booking) bool { return b.CheckAt.Equal(was) })), "confirmed ana"},
		{"what does not fit until the end is released", steps(planned("CC-8"), upload("CC-8", "2026-12-01", other),
			func(t *testing.T, c *counter, b gangway.Booking) error {
				for now := b.IssueAt(); now.Before(b.HoldUntil); now = now.Add(10 * time.Minute) {
					c.clock.to(now)
					done(t, c.Tick(t.Context()))
				}
				return nil
			}, at(holdUntil, time.Second), tick), "confirmed ana, cancelled system"},
		{"a person may issue it all the same, or choose to let its hold end", steps(planned("CC-8"),
			upload("CC-8", "2026-12-01", other), atIssue, autoIssue(false), so(needsNobody), issue),
			"confirmed ana, issued ana"},
		{"whoever ends it has seen to it", steps(planned("CC-8"), upload("CC-8", "2026-12-01", other), atIssue,
			so(func(b gangway.Booking) bool { return b.Attention.Open() }), cancel, so(needsNobody)),
			"confirmed ana, cancelled ana"},
		{"nor while bookers are asked whether its crew change moved", steps(planned(""),
			upload("", "2026-12-15", maria), atIssue, so(isConfirmed), asksBecause(book.Undecided),
			func(t *testing.T, c *counter, b gangway.Booking) error {
				asked := must(c.in.ChangeQuestions(t.Context(), b.Purpose.Change))(t)
				if len(asked) != 1 {
					return fmt.Errorf("asked is %v", asked)
				}
				return c.in.AnswerQuestion(t.Context(), storetest.Operator, asked[0].Older.Key(), asked[0].Newer.Key(),
					false, c.clock.Now())
			}, tick), "confirmed ana, issued system"},
	}
	for _, plan := range []struct {
		name, why string
		change    step
	}{
		{"a traveller left out by a later upload", "removed from this crew change",
			upload("CC-8", "2026-12-01", other)},
		{"a ship that comes four days later", "ship 5 Dec", upload("CC-8", "2026-12-05", maria)},
		{"a crew change that was taken back", "the crew change was taken back",
			func(t *testing.T, c *counter, _ gangway.Booking) error {
				return second(c.in.DeleteCrewChange(t.Context(), "id:CC-8"))
			}},
	} {
		stories = append(stories,
			story{plan.name, steps(planned("CC-8"), plan.change, atIssue, so(isConfirmed), asksBecause(plan.why),
				nextLook(time.Minute, 72*time.Hour), handle, at(func(b gangway.Booking) time.Time { return b.CheckAt },
					time.Second), tick, so(needsNobody), so(isConfirmed), fits, tick, unasked),
				"confirmed ana, issued system"},
			story{plan.name + ", raised as soon as it is known, days ahead", steps(planned("CC-8"), plan.change, tick,
				asksBecause(plan.why), so(func(b gangway.Booking) bool { return b.CheckAt.Equal(b.IssueAt()) }),
				personWaits, fits, tick, unasked, atIssue), "confirmed ana, issued system"})
	}
	tell(t, stories)
}

// crewChange is a crew change with on-signers.
func crewChange(reference string, date gangway.Date, who ...gangway.Traveller) gangway.CrewChange {
	c := gangway.CrewChange{Vessel: "Nordlys", Flag: "NO", TravelRequestID: reference, ChangeAirport: "AMS",
		ChangeDate: date}
	for _, p := range who {
		c.OnSigners = append(c.OnSigners, gangway.CrewMember{Traveller: p})
	}
	return c
}

// upload sends a crew change as the customer's system does.
func upload(reference string, date gangway.Date, who ...gangway.Traveller) step {
	return func(t *testing.T, c *counter, _ gangway.Booking) error {
		return second(c.in.UpsertCrewChanges(t.Context(),
			[]gangway.CrewChange{crewChange(reference, date, who...)}, c.clock.Now()))
	}
}

// planned holds a flight for maria in a crew change of 1 December that was uploaded.
func planned(reference string) step {
	return all(upload(reference, "2026-12-01", maria), func(t *testing.T, c *counter, _ gangway.Booking) error {
		s := book.SearchForCrewChange(crewChange(reference, "2026-12-01", maria), "AMS", c.booker.Email, c.clock.Now())
		s.Uploaded = true
		done(t, c.in.SaveSearch(t.Context(), s))
		ask := c.ask(s, c.offer(t, s, marine))
		c.story = ask.ID
		return second(c.Book(t.Context(), c.in, c.booker, ask))
	})
}

// asksBecause is done if a person is asked for a reason.
func asksBecause(why string) step {
	return so(func(b gangway.Booking) bool { return b.Attention.Open() && strings.Contains(b.Attention.Why, why) })
}

// personWaits is done if one booking of the account needs a person.
func personWaits(t *testing.T, c *counter, _ gangway.Booking) error {
	if waits := must(c.in.Waits(t.Context(), time.Time{}, time.Time{}))(t); waits.Person != 1 {
		return fmt.Errorf("%d bookings need a person", waits.Person)
	}
	return nil
}
