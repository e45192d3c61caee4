package book

import (
	"context"
	"slices"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
)

// Needed is what needs a person of an account now, in the order in which people see to it.
type Needed struct {
	Waits    store.Waits            // how many there are of each
	Ended    []gangway.EndedBooking // seats that are lost, and what issued itself
	Answer   []gangway.Booking      // whose flights the airline has changed
	Ending   []gangway.Booking      // which end unless somebody decides
	Person   []gangway.Booking      // to which something else has happened
	OldPlans []NotAsPlanned
	Plans    Plans // of Ending, Person and OldPlans
}

// NotAsPlanned is a booking that misses its plan: of its crew change, if it is for one, the first of those that miss it
// in the way that most do.
type NotAsPlanned struct {
	gangway.Booking
	All []gangway.Booking // of the crew change, that miss it
}

// NeededNow returns what needs a person now, up to n of each and twice as many that ended: until is when a hold has to
// end to be among it, by the account's clock as now is.
//
// Decided: docs/choices.md, "What needs a person".
func NeededNow(ctx context.Context, in store.Scoped, now, until time.Time, n int) (p Needed, err error) {
	if p.Waits, err = in.Waits(ctx, now, until); err == nil && p.Waits.Ended > 0 {
		p.Ended, err = in.UnseenEndings(ctx, 2*n)
	}
	if err == nil && p.Waits.Answer > 0 {
		p.Answer, err = in.BookingsToAnswer(ctx, n)
	}
	if err == nil && p.Waits.Deciding > 0 {
		p.Ending, err = in.BookingsUndecided(ctx, now, until, n)
	}
	if err == nil && p.Waits.Person > 0 {
		p.Person, err = in.BookingsForPerson(ctx, n)
	}
	var old []gangway.Booking
	if err == nil && p.Waits.OldPlans > 0 {
		old, err = in.BookingsForOldPlans(ctx, gangway.DateOf(now.UTC()).AddDays(-1), 10*n)
	}
	if err != nil {
		return p, err
	}
	byChange := map[string]int{}
	p.Plans, err = PlansOf(ctx, in, slices.Concat(p.Ending, p.Person, old))
	said := map[[2]string]int{} // how many bookings of a crew change differ from it in the same words
	for _, b := range old {
		words := [2]string{b.Purpose.Change, p.Plans.Misfit(b)}
		if p.Plans.Of(b).Unneeded == "" { // the others do not say where the ship is
			said[words]++
		}
		at, there := byChange[b.Purpose.Change]
		switch there = there && b.Purpose.Change != ""; {
		case there:
			of := &p.OldPlans[at]
			if of.All = append(of.All, b); said[words] > said[[2]string{b.Purpose.Change, p.Plans.Misfit(of.Booking)}] {
				of.Booking = b
			}
		case len(p.OldPlans) < n:
			byChange[b.Purpose.Change] = len(p.OldPlans)
			p.OldPlans = append(p.OldPlans, NotAsPlanned{b, []gangway.Booking{b}})
		}
	}
	return p, err
}
