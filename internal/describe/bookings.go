package describe

import (
	"encoding/json"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/wire"
)

// A moment is what happens to a booking, and to its parts besides its state.
type moment struct {
	event gangway.Event
	about string
	after []gangway.Event // what has happened before
	by    string
	then  func(b *gangway.Booking, at time.Time)
}

const (
	booker   = "ines@halcyon.example"
	approver = "oskar@halcyon.example"
)

// moments has each event of a booking's life once, in the order in which lives have them.
//
// Decided: docs/choices.md, "States and actions".
var moments = []moment{
	{event: gangway.AskApproval, by: booker, about: "Seats are held, and an approver is asked."},
	{event: gangway.Approve, by: approver, after: asked, about: "An approver agrees."},
	{event: gangway.Decline, by: approver, after: asked, about: "An approver refuses.",
		then: func(b *gangway.Booking, at time.Time) {
			b.Approval = &gangway.Approval{DecidedBy: approver, DecidedAt: at, Reason: "The train takes an hour " +
				"longer."}
		}},
	{event: gangway.Book, by: booker, about: "Seats are held; there is no ticket yet."},
	{event: gangway.EndHold, by: gangway.System, after: held,
		about: "Nobody had tickets issued in time. Where an approver had not decided yet, it is declined."},
	{event: gangway.Cancel, by: booker, after: held, about: "Cancelled, and nothing comes back."},
	{event: gangway.Issue, by: booker, after: held, about: "Tickets are issued.", then: issue},
	{event: gangway.FindTicketed, by: gangway.System, after: held,
		about: "Tickets were issued without our asking, at the supplier's desk.", then: issue},
	{event: gangway.AskChange, by: booker, after: ticketed, about: "Other flights are wanted, by somebody or the " +
		"airline.",
		then: func(b *gangway.Booking, _ time.Time) { b.Change = &gangway.PendingChange{Was: gangway.Issued} }},
	{event: gangway.CompleteChange, by: booker, after: changing,
		about: "The other flights are booked; the booking is what it was before.",
		then: func(b *gangway.Booking, at time.Time) {
			for i := range b.Itinerary.Segments {
				s := &b.Itinerary.Segments[i]
				s.Departure, s.Arrival = s.Departure.AddDate(0, 0, 1), s.Arrival.AddDate(0, 0, 1)
			}
			b.SetPrice(gangway.PriceOf(dollars(40000), dollars(8205), dollars(5000)), at)
			b.Change = nil
		}},
	{event: gangway.AbandonChange, by: booker, after: changing,
		about: "The change was given up or refused; the booking is what it was before.",
		then:  func(b *gangway.Booking, _ time.Time) { b.Change = nil }},
	{event: gangway.CancelForRefund, by: booker, after: ticketed, about: "Cancelled, and money is to come back.",
		then: refund},
	{event: gangway.SettleRefund, by: gangway.System, after: refunding, about: "The money has come back.",
		then: func(b *gangway.Booking, at time.Time) {
			b.SetRefund(&gangway.Refund{Amount: dollars(45005), AskedAt: at, SettledAt: at}, at)
		}},
	{event: gangway.CancelElsewhere, by: gangway.System, after: held,
		about: "The airline, or the supplier's desk, has cancelled it.", then: lost},
	{event: gangway.RefundElsewhere, by: gangway.System, after: ticketed,
		about: "The airline, or the supplier's desk, has cancelled it, and money is to come back.",
		then:  func(b *gangway.Booking, at time.Time) { lost(b, at); refund(b, at) }},
}

// What has happened before.
var (
	asked     = []gangway.Event{gangway.AskApproval}
	held      = []gangway.Event{gangway.Book}
	ticketed  = []gangway.Event{gangway.Book, gangway.Issue}
	changing  = []gangway.Event{gangway.Book, gangway.Issue, gangway.AskChange}
	refunding = []gangway.Event{gangway.Book, gangway.Issue, gangway.CancelForRefund}
)

func dollars(cents int64) gangway.Money { return gangway.Money{Minor: cents, Currency: "USD"} }

func issue(b *gangway.Booking, at time.Time) {
	b.Tickets = []string{"1762400187321"}
	b.SetPrice(b.Price, at)
}

func refund(b *gangway.Booking, at time.Time) {
	b.SetRefund(&gangway.Refund{Amount: dollars(45005), AskedAt: at}, at)
}

func lost(b *gangway.Booking, at time.Time) {
	b.Attention = &gangway.Attention{Why: "The airline has cancelled this booking.", At: at, ToldBy: b.Version}
}

// sampled is when the samples' bookings were made.
var sampled = time.Date(2026, 11, 23, 8, 30, 0, 0, time.UTC)

// sample returns the booking that all samples are about, before anything has happened.
func sample() gangway.Booking {
	zone := func(hours int) *time.Location { return time.FixedZone("", hours*3600) }
	return gangway.Booking{
		ID: "bkg_7q2m5zv3xk4t6n2rj8wc", Locator: "K7Q2MX", Simulated: true,
		Passenger: gangway.Traveller{ID: "C-1001", LastName: "Santos", FirstName: "Maria"},
		PricedItinerary: gangway.PricedItinerary{
			Itinerary: gangway.Itinerary{Segments: []gangway.Segment{
				{Carrier: "EK", FlightNumber: "EK333", Origin: "MNL", Destination: "DXB", Cabin: gangway.Economy,
					Departure: time.Date(2026, 11, 30, 23, 55, 0, 0, zone(8)),
					Arrival:   time.Date(2026, 12, 1, 4, 55, 0, 0, zone(4))},
				{Carrier: "EK", FlightNumber: "EK147", Origin: "DXB", Destination: "AMS", Cabin: gangway.Economy,
					Departure: time.Date(2026, 12, 1, 8, 20, 0, 0, zone(4)), DestinationTerminal: "3",
					Arrival: time.Date(2026, 12, 1, 12, 30, 0, 0, zone(1))},
			}},
			Baggage: []gangway.Allowance{{Origin: "MNL", Destination: "AMS", Pieces: 2, WeightKg: 23}},
			Terms: gangway.Terms{FareType: gangway.Marine, Cancellations: gangway.PaidCancel,
				Changes: gangway.PaidChange},
			Price: gangway.PriceOf(dollars(40000), dollars(8205), gangway.Money{}),
		},
		Purpose: gangway.Purpose{Side: gangway.OnSigner, Airport: "AMS", Date: "2026-12-02", Vessel: "Nordlys",
			Flag: "NO", TravelRequestID: "CC-7", Metadata: map[string]string{"rank": "AB"}},
		CreatedAt: sampled, CreatedBy: booker, CreatedByName: "Ines Duarte",
	}
}

// happen lets a moment happen to a booking, some hours after it was made.
func (m moment) happen(b *gangway.Booking) gangway.Action {
	at := sampled.Add(time.Duration(b.Version) * 2 * time.Hour)
	action, err := b.Move(m.event, m.by, at)
	if err != nil {
		panic(err) // moments that cannot follow each other
	}
	if m.then != nil {
		m.then(b, at)
	}
	return action
}

func momentOf(event gangway.Event) moment {
	for _, m := range moments {
		if m.event == event {
			return m
		}
	}
	panic("no sample of: " + string(event))
}

// A BookingSample is the booking right after an event.
type BookingSample struct {
	Event         gangway.Event
	Before, After gangway.State
	About         string
	Body          json.RawMessage
}

// BookingSamples returns a booking as it is pushed after each event.
func BookingSamples() []BookingSample {
	var list []BookingSample
	for _, m := range moments {
		b := sample()
		for _, event := range m.after {
			momentOf(event).happen(&b)
		}
		action := m.happen(&b)
		list = append(list, BookingSample{m.event, b.Previous, b.State, m.about, record(b, action)})
	}
	return list
}

// PulledSample returns a booking as it is pulled, with two actions.
func PulledSample() json.RawMessage {
	b := sample()
	first := momentOf(gangway.Book).happen(&b)
	return append(append(json.RawMessage("["), record(b, first, momentOf(gangway.Issue).happen(&b))...), ']')
}

func record(b gangway.Booking, actions ...gangway.Action) json.RawMessage {
	doc, err := wire.Booking(b, actions)
	if err != nil {
		panic(err)
	}
	return doc
}
