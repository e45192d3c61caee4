package flights

import (
	"fmt"
	"html/template"
	"strings"
	"time"

	"gangway/internal/book"
	"gangway/internal/gangway"
	"gangway/internal/web/app/shell"
	"gangway/internal/world"
)

// words are the template functions for flights and bookings, besides those of every
// page.
func (room *Room) words() template.FuncMap {
	return template.FuncMap{
		"airport":        airport,        // airport "MNL": the code, with its name on the title
		"place":          place,          // place "MNL": "Manila, Philippines"
		"placelabel":     PlaceLabel,     // placelabel "NLRTM": "NLRTM port of Rotterdam"
		"placeincountry": PlaceInCountry, // placeincountry "ROT": "Rotorua, New Zealand"

		"route":      routeHTML,                                         // route "MNL" "SIN": codes with an arrow
		"airline":    world.AirlineName,                                 // airline "SQ": its name
		"country":    country,                                           // country "PH": the code, titled with its name
		"cabin":      cabin,                                             // cabin .Cabin: "premium economy"
		"bookpath":   func() string { return room.SectionPath("book") }, // bookpath: the form that starts a search
		"strip":      strip,                                             // template "strip" (strip .Itinerary)
		"one":        func(l StripLeg) []StripLeg { return []StripLeg{l} },
		"state":      StateWords, // state .State: a booking's state in the middle of a sentence
		"barwords":   BarWords,   // barwords .Bar: why crew do not use an offer
		"unmetwords": unmetWords, // unmetwords .Unmet: the same in the middle of a sentence
		"badge":      badge,      // badge .State: a booking's state
		"badgeof":    badgeOf,    // badgeof .Booking: the same, which tells a hold that was released from what was paid
		"priceSum":   PriceSum,   // priceSum .Price "Total": the lines of template sum

		"countryoptions": countryOptions, // the lines of a datalist: all countries
	}
}

// timed are those that compare an instant with the present, by the clock now.
func timed(now func() time.Time) template.FuncMap {
	return template.FuncMap{
		// ends .Ends: "fare ends in 3 h 10 min", counting down
		"ends": func(e gangway.Deadline) template.HTML { return ends(now(), e) },
		// issuesat .TicketBy .PriceUntil: when an offer held now would be issued automatically
		"issuesat": func(ticketBy, priceUntil time.Time) time.Time { return IssuesAt(now(), ticketBy, priceUntil) },
	}
}

func airport(code gangway.Airport) template.HTML {
	return codeWithName("code", string(code), place(code))
}

// place says where an airport is, or nothing when we do not know the code.
func place(code gangway.Airport) string {
	p, ok := world.PlaceOf(string(code))
	if !ok || p.Kind != world.AirportPlace {
		return ""
	}
	return p.Called() + ", " + gangway.Country(p.Country).Name()
}

func routeHTML(from, to gangway.Airport) template.HTML {
	return `<span class="route">` + airport(from) + shell.Icon("arrow") + `<span class="unseen"> to </span>` +
		airport(to) + `</span>`
}

func cabin(c gangway.Cabin) string { return strings.ReplaceAll(string(c), "_", " ") }

func country(code gangway.Country) template.HTML {
	return codeWithName("code", string(code), code.Name())
}

func codeWithName(class, code, name string) template.HTML {
	return template.HTML(`<abbr class="` + class + `" title="` + template.HTMLEscapeString(name) + `">` +
		template.HTMLEscapeString(code) + `</abbr>`)
}

// badges says how a state is shown: a colour class, a sign, and words, which are the trade's. The CSV, the report and
// the interface keep the contract's name of the state, which each badge has as data-state.
var badges = map[gangway.State]struct{ class, sign, words string }{
	gangway.ApprovalRequired: {"watch", "?", "approval required"},
	gangway.Confirmed:        {"", "○", "on hold"},
	gangway.Issued:           {"good", "✓", "issued"},
	gangway.ChangePending:    {"watch", "↻", "change pending"},
	gangway.RefundPending:    {"watch", "↩", "refund pending"},
	gangway.Cancelled:        {"", "–", "cancelled"},
	gangway.Declined:         {"act", "✕", "declined"},
}

// standingClasses are the colours of how somebody stands. Nothing is green but what is as planned.
var standingClasses = map[gangway.Standing]string{
	gangway.UnderWay: "watch", gangway.AirlineChanged: "act", gangway.Changing: "watch", gangway.WrongPlace: "act",
	gangway.TooLate: "act", gangway.LeavesBeforeShip: "act", gangway.BookedElsewhere: "watch",
	gangway.NotBooked: "watch", gangway.TooEarly: "watch", gangway.WaitsTooLong: "watch", gangway.NameChanged: "watch",
	gangway.JustInTime: "watch", gangway.BookedTwice: "watch",
}

// standingSigns go with the colours.
var standingSigns = map[string]string{"good": "✓", "watch": "△", "act": "!"}

// A Stand is how somebody stands with today's plan, as pages show it.
type Stand struct {
	gangway.Standing
	Also        string // the values of what is beside it
	Class, Sign string
	Words       string // with what is beside it, in few words
	Why         string // how the flights do not fit the plan; empty: they do
}

// Plain reports whether there is nothing to say: the booking is as planned, or nobody has judged it.
func (s Stand) Plain() bool { return s.Standing == "" || s.Class == "good" }

// StandOf puts a judgement into words. The booking is held against a ship or a request; asked: people are asked whether
// the ship moved.
func StandOf(j gangway.Judgement, against string, asked bool) Stand {
	s := Stand{Standing: j.Standing, Words: book.StandingWords(j), Why: book.Misfit(j.Fit, against)}
	s.Also = strings.Trim(fmt.Sprint(j.Also), "[]")
	for _, standing := range append([]gangway.Standing{j.Standing}, j.Also...) {
		if class := standingClasses[standing]; s.Class != "act" && class != "" {
			s.Class = class
		}
	}
	switch {
	case j.Standing == "":
		return s
	case j.Good() && !asked:
		s.Class = "good"
	case j.Good():
		s.Class, s.Words, s.Why = "act", book.AskedWords, book.Undecided
	case j.Standing == gangway.NoLongerTravelling:
		s.Class = ""
	case j.Holds(gangway.JustInTime) && j.Critical:
		s.Class = "act"
	}
	s.Sign = standingSigns[s.Class]
	return s
}

// StandBy judges one of the bookings that plans were read for. What is over is not judged.
func StandBy(plans book.Plans, b gangway.Booking, now time.Time) Stand {
	if !b.Live() {
		return Stand{}
	}
	s := StandOf(plans.Judge(b, now), "", plans.Asked(b))
	if !s.Plain() {
		s.Why = plans.Misfit(b)
	}
	return s
}

func badge(s gangway.State) template.HTML { return badgeOf(gangway.Booking{State: s}) }

func badgeOf(of gangway.Booking) template.HTML {
	s, b := of.State, badges[of.State]
	return template.HTML(`<span class="` + strings.TrimSpace("badge "+b.class) + `" data-state="` +
		template.HTMLEscapeString(string(s)) + `"><span class="sign" aria-hidden="true">` + b.sign + `</span>` +
		template.HTMLEscapeString(shell.Capital(Stands(of))) + `</span>`)
}

// Stands names the state of a booking, which reads as released where it was a hold.
func Stands(b gangway.Booking) string {
	if b.Released() {
		return "released"
	}
	return StateWords(b.State)
}

// StateWords names a state without a sign, where a tick would promise too much.
func StateWords(s gangway.State) string {
	if b, ok := badges[s]; ok {
		return b.words
	}
	return string(s)
}
