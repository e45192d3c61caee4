// Package itinerary is the paper that travellers take with them: the flights of one booking, or of everybody in a crew
// change, in lines that the page, plain text, PDF and a calendar share. It asks nobody: who calls it has the bookings.
package itinerary

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/world"
)

// A Paper is one document.
type Paper struct {
	Title  string
	Unreal bool   // nobody can fly on these flights
	Facts  []Fact // the ship, whom to call
	Trips  []Trip
	Remark string // what is not listed
	At     time.Time
}

// A Group is the trips of one side; the first has the trips of neither.
type Group struct {
	Name  string
	Trips []Trip
}

// Groups returns the trips by side, in their order.
func (p Paper) Groups() (list []Group) {
	for i, side := range []gangway.Side{"", gangway.OnSigner, gangway.OffSigner} {
		list = append(list, Group{Name: []string{"", "On-signers", "Off-signers"}[i]})
		for _, t := range p.Trips {
			if t.Side == side {
				list[i].Trips = append(list[i].Trips, t)
			}
		}
	}
	return slices.DeleteFunc(list, func(g Group) bool { return len(g.Trips) == 0 })
}

// Unreal is what paper says of flights that are not real.
const Unreal = "Simulated airlines: these flights are not real."

// A Fact is a value with its name.
type Fact struct{ Name, Value string }

// A Trip is the flights of one booking.
type Trip struct {
	Booking  string
	Side     gangway.Side
	Name     string // as on the ticket
	Sent     string // as sent, where that differs
	Warnings []string
	Facts    []Fact
	Lines    []Line
	Events   []Event
	Leaves   time.Time // the first flight
	There    time.Time // at the end: at the port, if that is where it goes
}

// A Line is a row of a trip. A Day begins a day, with At the only text; one without At says something about the row
// before it.
type Line struct {
	Day  bool
	At   string // "Mon 30 Nov 2026" or, local to the place, "09:15"
	What string
}

// An Event is a flight in a calendar.
type Event struct {
	ID             string
	Leaves, Lands  time.Time
	Summary, Where string
	Lines          []string
}

// Day is how paper writes a day.
const Day = "Mon 2 Jan 2006"

// AsOf says when the paper was written, and by which clocks its times are.
func (p Paper) AsOf() string {
	return "As of " + p.At.UTC().Format(Day+" 15:04") + " UTC. All times are local to the place."
}

// Whose says what a trip is made from, besides the booking.
type Whose struct {
	Rank    string
	Misfit  string // how the flights do not fit today's plan
	Private bool   // whose locators and tickets may be read
}

// TripOf lays out a booking.
func TripOf(b gangway.Booking, w Whose) Trip {
	t := Trip{Booking: b.ID, Side: b.Purpose.Side, Warnings: warnings(b, w.Misfit), Leaves: b.Itinerary.Departure(),
		There: b.Itinerary.Arrival()}
	t.Name, t.Sent = names(b.Passenger)
	fact := func(name, value string) {
		if value != "" {
			t.Facts = append(t.Facts, Fact{name, value})
		}
	}
	fact("Rank", w.Rank)
	if w.Private {
		fact("Airline locator", strings.Join(b.PNRs, ", "))
		fact("Tickets", strings.Join(b.Tickets, ", "))
	}
	fact("Checked bags", bags(b.Baggage))
	t.fly(b)
	return t
}

// names returns a traveller's name as on the ticket, and as sent where that is another one.
func names(p gangway.Traveller) (ticket, sent string) {
	n := p.TicketName()
	if sent = p.LastName + ", " + p.FirstName; n.Last+n.First == "" {
		return sent, ""
	}
	if !p.TicketDiffers() {
		sent = ""
	}
	return n.String(), sent
}

// warnings say why nobody should travel on these flights before having asked.
func warnings(b gangway.Booking, misfit string) (list []string) {
	switch {
	case !b.Live():
		list = append(list, "Cancelled: nobody can travel on these flights.")
	case b.State == gangway.ChangePending && b.Change != nil && b.Change.ByAirline,
		b.Notice != nil && b.Notice.Declined:
		list = append(list,
			"The airline has changed these flights. Below is the old schedule: ask your company before you travel.")
	case b.State == gangway.ChangePending:
		list = append(list, "These flights are being changed: ask your company before you travel.")
	case !b.Ticketed():
		list = append(list, "On hold, no ticket yet.")
	}
	if misfit != "" && b.Live() {
		list = append(list, "Not to today's plan: "+misfit+". Ask your company before you travel.")
	}
	return list
}

// bags says what may be checked in: once where it is the same everywhere.
func bags(list []gangway.Allowance) string {
	var words []string
	same := true
	for _, a := range list {
		words = append(words, string(a.Origin)+" → "+string(a.Destination)+": "+a.Words())
		same = same && a.Words() == list[0].Words()
	}
	switch {
	case len(list) == 0:
		return "none included"
	case same:
		return list[0].Words()
	}
	return strings.Join(words, "; ")
}

func (t *Trip) fly(b gangway.Booking) {
	day := ""
	at := func(when time.Time, what string) {
		if today := when.Format(Day); today != day {
			day = today
			t.Lines = append(t.Lines, Line{Day: true, At: day})
		}
		t.Lines = append(t.Lines, Line{At: when.Format("15:04"), What: what})
	}
	note := func(what string) { t.Lines = append(t.Lines, Line{What: what}) }
	for n, leg := range b.Itinerary.Legs() {
		var ends gangway.Between
		if n < len(b.Purpose.Between) {
			ends = b.Purpose.Between[n]
		}
		if ends.FromRoad > 0 {
			note("First from " + world.PlaceIn(string(ends.From)) + " to " + end(leg[0].Origin, "") + ", about " +
				road(ends.FromRoad, ends.From) + ". Be there in time to check in.")
		}
		for i, s := range leg {
			if i > 0 {
				note("Connection " + gangway.DurationWords(s.Departure.Sub(leg[i-1].Arrival)))
			}
			from, to := end(s.Origin, s.OriginTerminal), end(s.Destination, s.DestinationTerminal)
			at(s.Departure, from)
			note(flightWords(s))
			at(s.Arrival, to)
			t.Events = append(t.Events, Event{ID: b.ID + "-" + string(rune('a'+len(t.Events))), Leaves: s.Departure,
				Lands: s.Arrival, Where: from,
				Summary: s.Name() + " " + string(s.Origin) + " → " + string(s.Destination),
				Lines:   []string{s.Departure.Format(Day+" 15:04 ") + from, s.Arrival.Format(Day+" 15:04 ") + to}})
		}
		if ends.ToRoad > 0 {
			t.There = leg[len(leg)-1].Arrival.Add(time.Duration(ends.ToRoad) * time.Minute)
			at(t.There, "At "+world.PlaceIn(string(ends.To))+", about "+road(ends.ToRoad, ends.To))
		} else {
			t.There = leg[len(leg)-1].Arrival
		}
	}
}

// flightWords says who flies: "SQ 917 · Singapore Airlines · economy · 3 h 35".
func flightWords(s gangway.Segment) string {
	words := []string{s.Name(), world.AirlineName(s.Carrier)}
	if s.Operator != "" && s.Operator != s.Carrier {
		words = append(words, "flown by "+world.AirlineName(s.Operator))
	}
	words = append(words, strings.ReplaceAll(string(s.Cabin), "_", " "), gangway.DurationWords(s.Duration()))
	return strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), " · ")
}

// end names an airport: "Manila MNL, terminal 3".
func end(a gangway.Airport, terminal string) string {
	words := world.PlaceIn(string(a))
	if words != string(a) {
		words += " " + string(a)
	}
	if terminal != "" {
		words += ", terminal " + strings.TrimSpace(strings.TrimPrefix(strings.ToUpper(terminal), "TERMINAL"))
	}
	return words
}

// mostBookers is how many people who booked are named.
const mostBookers = 3

// Contacts are whom travellers call: their company or, where it has no number, who of it booked for them; and, where it
// is known, the ship's agent in the port. On paper that is not private, people are not named.
func Contacts(company, phone string, a gangway.PortAgent, private bool, bookings ...gangway.Booking) (list []Fact) {
	var bookers []string
	for _, b := range bookings {
		who := strings.TrimSpace(b.CreatedByName + " " + b.CreatedBy)
		if private && len(bookers) < mostBookers && !slices.Contains(bookers, who) {
			bookers = append(bookers, who)
		}
	}
	if phone != "" {
		list = append(list, Fact{"Call", gangway.MailName(company) + " " + phone})
	} else if len(bookings) > 0 {
		list = append(list, Fact{"Booked by", strings.Join(append(bookers, gangway.MailName(company)), ", ")})
	}
	if a.Name+a.Phone != "" {
		list = append(list, Fact{"Ship's agent", strings.TrimSpace(a.Name + " " + a.Phone)})
	}
	return list
}

// Sort sorts trips by when travellers are at the ship, or leave it.
func Sort(trips []Trip) {
	slices.SortStableFunc(trips, func(a, b Trip) int {
		return cmp.Or(a.AtShip().Compare(b.AtShip()), cmp.Compare(a.Name, b.Name))
	})
}

// AtShip is when a trip ends, or for somebody who leaves the ship, begins.
func (t Trip) AtShip() time.Time {
	if t.Side == gangway.OffSigner {
		return t.Leaves
	}
	return t.There
}

// road says how long the way between a place and an airport takes.
func road(minutes int, to gangway.Place) string {
	return gangway.DurationWords(time.Duration(minutes)*time.Minute) + world.ByRoad(string(to))
}
