package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
)

// page reads a page of the list, and fails if it is empty: what is timed has to find
// something, or it may have stopped looking.
func (s bookingSide) page(ctx context.Context, q store.BookingQuery) error {
	page, err := s.in.BookingPage(ctx, q)
	if err == nil && len(page.List) == 0 && !page.Cut {
		err = fmt.Errorf("nothing is found by %+v", q)
	}
	return err
}

// narrowed reads a page of the list, and how many bookings match.
func (s bookingSide) narrowed(ctx context.Context, q store.BookingQuery) error {
	q.Limit = 50
	if err := s.page(ctx, q); err != nil {
		return err
	}
	_, _, err := s.in.CountSelected(ctx, q)
	return err
}

// crewChangesShown is how many crew changes a page has.
const crewChangesShown = 30

// crewChanges reads a page of the crew changes from the departure of booking n on, and the
// bookings that are compared with them.
func (s bookingSide) crewChanges(ctx context.Context, n, days int) (shown int, err error) {
	from := s.fleet.leaves(n)
	keys, err := s.in.CrewChangeKeys(ctx, "", from, from.AddDays(days), crewChangesShown)
	if err != nil {
		return 0, err
	}
	bookings, err := s.in.BookingsOfChanges(ctx, keys, 200)
	if err != nil {
		return 0, err
	}
	booked := map[string][]gangway.Traveller{}
	for _, key := range keys {
		booked[key] = nil
		for _, b := range bookings[key] {
			booked[key] = append(booked[key], b.Passenger)
		}
	}
	lines, err := s.in.CrewChangeLines(ctx, booked)
	return len(lines), err
}

// bookingLooks are the queries that are timed; n is the number of an existing booking.
var bookingLooks = []struct {
	name string
	at   func(ctx context.Context, s bookingSide, n int) error
}{
	{"counts on every page", func(ctx context.Context, s bookingSide, _ int) error {
		_, err := s.in.Waits(ctx)
		return err
	}},
	{"counts by state", func(ctx context.Context, s bookingSide, _ int) error {
		_, err := s.in.CountBookings(ctx)
		return err
	}},
	{"find a surname", func(ctx context.Context, s bookingSide, n int) error {
		return s.narrowed(ctx, store.BookingQuery{Find: s.fleet.booking(n).Passenger.LastName})
	}},
	{"find a common surname", func(ctx context.Context, s bookingSide, n int) error {
		return s.narrowed(ctx, store.BookingQuery{Find: commonSurnames[n%len(commonSurnames)]})
	}},
	{"find the start of a surname", func(ctx context.Context, s bookingSide, n int) error {
		return s.narrowed(ctx, store.BookingQuery{Find: s.fleet.booking(n).Passenger.LastName[:2]})
	}},
	{"find a vessel", func(ctx context.Context, s bookingSide, n int) error {
		return s.narrowed(ctx, store.BookingQuery{Find: s.fleet.booking(n).Purpose.Vessel})
	}},
	{"find a busy vessel", func(ctx context.Context, s bookingSide, n int) error {
		return s.narrowed(ctx, store.BookingQuery{Find: busyVessels[n%len(busyVessels)]})
	}},
	{"find a locator", func(ctx context.Context, s bookingSide, n int) error {
		return s.narrowed(ctx, store.BookingQuery{Find: s.fleet.booking(n).Locator})
	}},
	{"find a word of a vessel's name", func(ctx context.Context, s bookingSide, n int) error {
		vessel := strings.Fields(s.fleet.booking(n).Purpose.Vessel)
		return s.narrowed(ctx, store.BookingQuery{Find: vessel[len(vessel)-1]})
	}},
	{"find an airline's locator", func(ctx context.Context, s bookingSide, n int) error {
		return s.narrowed(ctx, store.BookingQuery{Find: airlineLocator(n)})
	}},
	{"find a crew change by its identifier", func(ctx context.Context, s bookingSide, n int) error {
		return s.narrowed(ctx, store.BookingQuery{Find: crewChangeID(n)})
	}},
	{"find an identifier", func(ctx context.Context, s bookingSide, n int) error {
		return s.narrowed(ctx, store.BookingQuery{Find: s.fleet.booking(n).ID})
	}},
	{"find a ticket", func(ctx context.Context, s bookingSide, n int) error {
		for len(s.fleet.booking(n).Tickets) == 0 { // it has none yet
			n = (n + 1) % s.fleet.bookings
		}
		return s.narrowed(ctx, store.BookingQuery{Find: s.fleet.ticket(n)})
	}},
	{"find nothing", func(ctx context.Context, s bookingSide, _ int) error {
		_, err := s.in.BookingPage(ctx, store.BookingQuery{Find: "zzzz nobody", Limit: 50})
		return err
	}},
	{"find a given name", func(ctx context.Context, s bookingSide, n int) error {
		return s.narrowed(ctx, store.BookingQuery{Find: given(s.fleet.crew(n))[0]})
	}},
	{"find a given name, in a state, by who booked", func(ctx context.Context, s bookingSide, n int) error {
		b := s.fleet.booking(n)
		_, err := s.in.BookingPage(ctx, store.BookingQuery{Find: given(b.Passenger)[1], State: b.State, By: b.CreatedBy,
			Limit: 50})
		return err
	}},
	{"find a second given name and the surname", func(ctx context.Context, s bookingSide, n int) error {
		t := s.fleet.crew(n)
		return s.narrowed(ctx, store.BookingQuery{Find: given(t)[1] + " " + t.LastName})
	}},
	{"find a given name as tickets have it", func(ctx context.Context, s bookingSide, _ int) error {
		return s.narrowed(ctx, store.BookingQuery{Find: ticketOyvind})
	}},
	{"find a given name as tickets have it and the surname", func(ctx context.Context, s bookingSide, n int) error {
		return s.narrowed(ctx, store.BookingQuery{Find: ticketOyvind + " " +
			s.fleet.crew(s.fleet.withOyvind(n)).LastName})
	}},
	{"find a common and a rare word that nobody has both of", func(ctx context.Context, s bookingSide, n int) error {
		_, err := s.in.BookingPage(ctx, store.BookingQuery{Find: given(s.fleet.crew(n))[0] + " zzzz", Limit: 50})
		return err
	}},
	{"find two common words that nobody has both of", func(ctx context.Context, s bookingSide, n int) error {
		_, err := s.in.BookingPage(ctx, store.BookingQuery{Find: twoSurnames(n), Limit: 50})
		return err
	}},
	{"the newest", func(ctx context.Context, s bookingSide, _ int) error {
		return s.narrowed(ctx, store.BookingQuery{})
	}},
	{"in a state", func(ctx context.Context, s bookingSide, n int) error {
		return s.narrowed(ctx, store.BookingQuery{State: s.fleet.booking(n).State})
	}},
	{"of a vessel", func(ctx context.Context, s bookingSide, n int) error {
		return s.narrowed(ctx, store.BookingQuery{Vessel: s.fleet.booking(n).Purpose.Vessel})
	}},
	{"of a busy vessel", func(ctx context.Context, s bookingSide, n int) error {
		return s.narrowed(ctx, store.BookingQuery{Vessel: busyVessels[n%len(busyVessels)]})
	}},
	{"by who booked", func(ctx context.Context, s bookingSide, n int) error {
		return s.narrowed(ctx, store.BookingQuery{By: s.fleet.booking(n).CreatedBy})
	}},
	{"leaving from a day on", func(ctx context.Context, s bookingSide, n int) error {
		return s.narrowed(ctx, store.BookingQuery{From: s.fleet.leaves(n)})
	}},
	{"leaving up to a day", func(ctx context.Context, s bookingSide, n int) error {
		return s.narrowed(ctx, store.BookingQuery{To: s.fleet.leaves(n)})
	}},
	{"of a vessel, in a state, on days, by who booked", func(ctx context.Context, s bookingSide, n int) error {
		b := s.fleet.booking(n)
		return s.narrowed(ctx, store.BookingQuery{
			Vessel: b.Purpose.Vessel, State: b.State, From: s.fleet.leaves(n), To: s.fleet.leaves(n).AddDays(60),
			By: b.CreatedBy,
		})
	}},
	{"of a busy vessel, issued, on days, by who booked", func(ctx context.Context, s bookingSide, n int) error {
		b := s.fleet.booking(n)
		_, err := s.in.BookingPage(ctx, store.BookingQuery{
			Vessel: busyVessels[n%len(busyVessels)], State: gangway.Issued, From: s.fleet.leaves(n),
			To: s.fleet.leaves(n).AddDays(60), By: b.CreatedBy, Limit: 50,
		})
		return err
	}},
	{"the page after any booking", func(ctx context.Context, s bookingSide, n int) error {
		b := s.fleet.booking(n)
		_, err := s.in.BookingPage(ctx, store.BookingQuery{At: store.PositionAfter(b), Limit: 50})
		return err
	}},
	{"500 rows of the file, after any booking", func(ctx context.Context, s bookingSide, n int) error {
		b := s.fleet.booking(n)
		_, err := s.in.BookingPage(ctx, store.BookingQuery{At: store.PositionAfter(b), Limit: 500})
		return err
	}},
	{"deadlines", func(ctx context.Context, s bookingSide, _ int) error {
		if _, err := s.in.BookingsByDeadline(ctx, 200); err != nil {
			return err
		}
		_, err := s.in.CountDeadlines(ctx, s.fleet.now.Add(24*time.Hour))
		return err
	}},
	{"approvals", func(ctx context.Context, s bookingSide, _ int) error {
		_, err := s.in.BookingsToApprove(ctx, 200)
		return err
	}},
	{"needs a person", func(ctx context.Context, s bookingSide, _ int) error {
		_, err := s.in.BookingsForPerson(ctx, 50)
		return err
	}},
	{"crew changes of 30 days with their bookings", func(ctx context.Context, s bookingSide, n int) error {
		_, err := s.crewChanges(ctx, n, 30)
		return err
	}},
	{"a full page of crew changes with their bookings", func(ctx context.Context, s bookingSide, n int) error {
		shown, err := s.crewChanges(ctx, n*9/10, 120) // what leaves last has few after it
		if err == nil && shown != crewChangesShown {
			err = fmt.Errorf("the page has %d crew changes", shown)
		}
		return err
	}},
}
