package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"gangway/internal/gangway"
)

// A fleet is an invented company: two years of bookings for its ships. Booking n is always the
// same one.
type fleet struct {
	account  string
	bookings int
	now      time.Time
}

// fleetNow is the current time: a kept fleet stays usable at any later date.
var fleetNow = time.Date(2026, 11, 1, 9, 0, 0, 0, time.UTC)

const (
	crewSize    = 50_000 // each flies some twenty times
	ships       = 400
	desks       = 40 // people who book
	crewAtOnce  = 20 // bookings of one crew change
	daysBooked  = 730
	fillAtATime = 5000
)

// scatter puts n at a fixed but irregular place among count.
func scatter(n, count int) int {
	mix := uint64(n+1) * 0x9E3779B97F4A7C15
	mix ^= mix >> 31
	return int(mix % uint64(count))
}

var (
	shipFirst = strings.Fields("Ocean Northern Pacific Atlantic Baltic Nordic Coral Golden Silver Royal Star Cape " +
		"Port Stolt Maersk Ever Blue Polar Sea Southern")
	shipSecond = strings.Fields("Tern Light Pioneer Spirit Trader Voyager Heron Falcon Dawn Crown Pearl Breeze " +
		"Horizon Courage Fortune Glory Harmony Venture Wave Wind")
)

// A twentieth of all bookings each are for these vessels, and a hundredth each for these
// surnames: their pages are full with ten thousand bookings and with a million.
var (
	busyVessels    = strings.Fields("Halcyon Meltemi")
	commonSurnames = strings.Fields("Santos Reyes Cruz Bautista Ocampo Garcia Mendoza Torres Castillo Flores " +
		"Villanueva Ramos Rivera Aquino Navarro Salazar Mercado Pascual Kumar Singh")
)

// crew returns the traveller of booking n.
func (f fleet) crew(n int) gangway.Traveller { return seafarer(scatter(n, crewSize)) }

// seafarer returns a traveller of a fleet, by number: a fifth have a common surname.
func seafarer(who int) gangway.Traveller {
	t := crewMember(who)
	if who%5 == 0 {
		t.LastName = commonSurnames[who/5%len(commonSurnames)]
	}
	return t
}

func (f fleet) vessel(n int) string {
	if k := scatter(n/crewAtOnce+3, 20); k < 2 {
		return busyVessels[k]
	}
	// A few ships have many crew changes, and many have few.
	ship := min(scatter(n/crewAtOnce, ships), scatter(n/crewAtOnce+7, ships))
	return shipFirst[ship%len(shipFirst)] + " " + shipSecond[ship/len(shipFirst)]
}

func (f fleet) made(n int) time.Time {
	return f.now.Add(-time.Duration(daysBooked) * 24 * time.Hour).Add(time.Duration(float64(n) / float64(f.bookings) *
		daysBooked * 24 * float64(time.Hour))).Truncate(time.Millisecond)
}

func (f fleet) leaves(n int) gangway.Date {
	return gangway.DateOf(f.made(n/crewAtOnce*crewAtOnce).AddDate(0, 0, 5+scatter(n/crewAtOnce, 55)))
}

func (f fleet) ticket(n int) string { return fmt.Sprintf("217%010d", scatter(n, 7)*1_000_000_000+n) }

func (f fleet) state(n int) gangway.State {
	switch k := scatter(n, 1000); {
	case k < 880:
		return gangway.Issued
	case k < 960:
		return gangway.Cancelled
	case k < 965:
		return gangway.Declined
	case k < 970:
		return gangway.RefundPending
	case k < 972:
		return gangway.ChangePending
	case k < 980:
		return gangway.ApprovalRequired
	}
	return gangway.Confirmed
}

// locator writes n with the letters of locators.
func locator(n int) string {
	const letters = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
	out := make([]byte, 6)
	for i := range out {
		out[len(out)-1-i] = letters[n%len(letters)]
		n /= len(letters)
	}
	return string(out)
}

func airlineLocator(n int) string { return locator((1+scatter(n, 9))*100_000_000 + n) }

func crewChangeID(n int) string { return fmt.Sprintf("CC-%d", n/crewAtOnce) }

// booking returns the values by which booking n is found.
func (f fleet) booking(n int) gangway.Booking {
	made := f.made(n)
	b := bookingOf(n, made)
	b.Passenger, b.Locator, b.State = f.crew(n), locator(n), f.state(n)
	b.CreatedBy, b.Tickets = fmt.Sprintf("desk%02d@halcyon.example", min(scatter(n, desks), scatter(n+3, desks))), nil
	b.Purpose.TravelRequestID, b.PNRs = crewChangeID(n), []string{airlineLocator(n)}
	b.Purpose.Vessel, b.Purpose.Change, b.Purpose.Search = f.vessel(n), "id:"+b.Purpose.TravelRequestID,
		fmt.Sprintf("srch_%d", n/crewAtOnce)
	if n%3 == 0 {
		b.Purpose.RequestID, b.Purpose.SubRequestID = fmt.Sprintf("TR-%d", n/2), fmt.Sprint(n%2)
	}
	switch b.State {
	case gangway.Issued, gangway.RefundPending, gangway.Cancelled:
		b.Tickets = []string{f.ticket(n)}
	case gangway.ApprovalRequired, gangway.Confirmed, gangway.ChangePending:
		b.TicketBy = f.now.Add(time.Duration(scatter(n, 14*24*60)) * time.Minute)
		b.HoldUntil = b.TicketBy
	}
	return b
}

var bookingColumns = strings.Fields("account id locator state version passenger vessel change_key search request " +
	"sub_request departs tickets created_at created_by " +
	"acted_at ticket_by hold_until check_at doc supplier_order supplier attention deadline")

func (f fleet) row(n int) ([]any, error) {
	b := f.booking(n)
	doc, err := json.Marshal(b)
	if err != nil {
		return nil, err
	}
	attention, at := int64(0), b.CreatedAt.UnixMilli()
	if scatter(n, 100) == 50 {
		attention = at
	}
	var ticketBy, deadline int64
	if !b.TicketBy.IsZero() {
		ticketBy, deadline = b.TicketBy.UnixMilli(), b.Deadline().UnixMilli()
	}
	return []any{
		f.account, b.ID, b.Locator, string(b.State), 1, b.Passenger.FoldedName(), gangway.Fold(b.Purpose.Vessel),
		b.Purpose.Change, b.Purpose.Search, b.Purpose.RequestID, b.Purpose.SubRequestID, string(f.leaves(n)),
		strings.Join(b.Tickets, " "), at, b.CreatedBy,
		at, ticketBy, ticketBy, int64(0), string(doc), b.Supplier + " " + b.Order, b.Supplier, attention, deadline,
	}, nil
}

// fill makes the bookings and their crew changes, with the same result as writing them one by
// one, but without the indexes, which are made afterwards.
func (f fleet) fill(ctx context.Context, url string) error {
	into, err := newBareFill(ctx, url)
	if err != nil {
		return err
	}
	defer into.close()
	indexed, err := into.withoutIndexes(ctx, "booking", "crew_change")
	if err != nil {
		return err
	}
	vessels := map[string]bool{}
	for from := 0; from < f.bookings; from += fillAtATime {
		var bookings, tickets, references, aboard, changes [][]any
		for n := from; n < min(from+fillAtATime, f.bookings); n++ {
			row, err := f.row(n)
			if err != nil {
				return err
			}
			bookings = append(bookings, row)
			if number := row[slices.Index(bookingColumns, "tickets")]; number != "" {
				tickets = append(tickets, []any{f.account, number, row[1]})
			}
			references = append(references, []any{f.account, airlineLocator(n), row[1]},
				[]any{f.account, crewChangeID(n), row[1]})
			if vessel := gangway.Fold(f.vessel(n)); !vessels[vessel] {
				vessels[vessel], aboard = true, append(aboard, []any{f.account, vessel})
			}
			if n%crewAtOnce == 0 {
				change, err := f.change(n)
				if err != nil {
					return err
				}
				changes = append(changes, change)
			}
		}
		for _, part := range []struct {
			table   string
			columns []string
			rows    [][]any
		}{
			{"booking", bookingColumns, bookings},
			{"booking_ticket", strings.Fields("account number booking"), tickets},
			{"booking_reference", strings.Fields("account reference booking"), references},
			{"booking_vessel", strings.Fields("account vessel"), aboard},
			{"crew_change", strings.Fields("account key vessel change_date doc version"), changes},
		} {
			if err := into.insert(ctx, part.table, part.columns, part.rows); err != nil {
				return fmt.Errorf("%s: %w", part.table, err)
			}
		}
	}
	return indexed()
}

// change returns the crew change of the bookings from n on.
func (f fleet) change(n int) ([]any, error) {
	vessel, day := f.vessel(n), f.leaves(n)
	c := gangway.CrewChange{TravelRequestID: crewChangeID(n), Vessel: vessel, Flag: "NO", ChangeDate: day}
	for i := range crewAtOnce {
		c.OnSigners = append(c.OnSigners, gangway.CrewMember{Traveller: f.crew(n + i)})
	}
	doc, err := json.Marshal(c)
	return []any{f.account, c.Key(), gangway.Fold(vessel), string(day), string(doc), 1}, err
}
