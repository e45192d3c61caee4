package flights

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"gangway/internal/book"
	"gangway/internal/book/plan"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/shell"
	"gangway/internal/world"
)

// A resultsPage is the flights found for one traveller.
type resultsPage struct {
	Search   string
	Who      string
	About    string
	Passport string
	Ticket   string // the name on the ticket, where it differs
	Unnamed  string // why they cannot be held until somebody has typed their name for the ticket, a sentence
	Warnings []string
	Legs     []gangway.Leg
	Vessel   string
	Flag     gangway.Country
	Fare     gangway.FareType
	Edit     url.Values // fills in the Book page, to search for something else
	Filters  FilterForm
	Week     weekStrip
	List     OfferList
	Progress Progress
	Landing  Landing
	For      string     // the crew change it is for: rank, vessel and reference
	NoMarine string     // why no marine fares are found, a sentence
	Vessels  url.Values // fills in the Book page, to add the vessel

	SamePassport string // that the passport was sent under another identifier too, a sentence
}

// A FilterForm is the filters beside a list.
type FilterForm struct {
	Action string
	Swap   string // the parts of the page that change with it
	Member string // whose alternatives are shown, for the address
	Days   string // the days around are shown, for the address
	Facets []facet
	Max    string
	Ccy    string
	On     int // how many choices are made
	Sort   string
	Clear  url.Values

	written *writtenChoices
}

// A Progress says how far a search has come.
type Progress struct {
	Done, All int
	Kept      bool   // it stays when the search is done, so that nothing below it moves
	Stream    string // address of the rest; empty when the search is done
	Refresh   string // where a reader without a script is sent: this page, once the search is done
}

func (room *Room) results(w http.ResponseWriter, r *http.Request, in store.Scoped, s gangway.Search, ss *plan.Session,
	q url.Values) error {
	booked, err := ReadMemberBookings(r.Context(), in, s, room.Now())
	if err != nil {
		return err
	}
	p := newResultsPage(room.View(r.Context(), in, ss, s, q, booked))
	if p.Landing, err = room.LandingOf(r.Context(), in, s, len(booked.Booked)); err != nil {
		return err
	}
	if p.SamePassport, err = samePassport(r.Context(), in, s.Members[0].Traveller); err != nil {
		return err
	}
	return room.Show(w, r, p.page())
}

func (p resultsPage) page() shell.Page {
	return shell.Page{Template: "results", Section: "book", Title: p.title(), Answer: p.answer(), Data: p}
}

func newResultsPage(v SearchView) resultsPage {
	s, m, q := v.Search, v.Members[0], v.Query
	choices := v.Choices(0)
	p := resultsPage{
		Search: s.ID, Who: m.Traveller.LastName + ", " + m.Traveller.FirstName, About: About(m.Traveller),
		Passport: Passport(m.Traveller, LastDate(m.Legs)), Warnings: m.Warnings, Ticket: TicketWords(m.Traveller),
		Legs: m.Legs, Vessel: s.Vessel, Flag: s.Flag, Fare: m.FareType,
		Edit: editQuery(s), Filters: v.Filters(choices), List: v.OfferList(0, choices),
		Progress: NewProgress(s.ID, q, v.Found.Done, len(s.Members)), Week: v.week(),
	}
	if p.Progress.Stream == "" && v.weekPending() {
		p.Progress.goOn(s.ID, q)
		p.Progress.Stream += "&" + onlyWeek + "=1" // the flights stay as they are
	}
	if s.Change != "" {
		p.For = crewChangeWords(s)
	}
	if p.List.Booked = v.BookingOf(0); p.List.Booked == nil {
		p.Unnamed, p.NoMarine = TicketProblems(m.Traveller, v.Found.LongestName), v.NoMarine()
	}
	if p.Vessels = p.Edit; m.RequestID != "" {
		p.Vessels = RequestKey{m.RequestID, m.SubRequestID}.Values()
	}
	return p
}

// crewChangeWords says what the one member of a search travels for: "Master for NORTHERN LIGHT (PA), crew change CC-7".
func crewChangeWords(s gangway.Search) string {
	words := s.Members[0].Rank
	if s.Vessel != "" {
		words += " for " + s.Vessel
	}
	if s.Vessel != "" && s.Flag != "" {
		words += " (" + string(s.Flag) + ")"
	}
	if s.ChangeID != "" {
		words += ", crew change " + s.ChangeID
	}
	return shell.Capital(strings.TrimLeft(words, ", "))
}

// Points are the sentences to read before anything is held.
func (p resultsPage) Points() []string {
	var list []string
	for _, words := range slices.Concat(p.Landing.Notes, []string{p.Passport, p.SamePassport}, p.Warnings) {
		if words != "" && !slices.Contains(list, words) {
			list = append(list, words)
		}
	}
	return list
}

// NewProgress says how far a search has come, and where to get the rest.
func NewProgress(search string, q url.Values, done, all int) Progress {
	p := Progress{Done: done, All: all}
	if done < all {
		p.goOn(search, q)
	}
	return p
}

// goOn notes where to get what is still to come.
func (p *Progress) goOn(search string, q url.Values) {
	p.Stream = "/searches/" + url.PathEscape(search) + "/stream"
	if len(q) > 0 {
		p.Stream += "?" + q.Encode()
	}
	wait := shell.CloneQuery(q)
	wait.Set("wait", "1")
	p.Refresh = "0; url=?" + wait.Encode()
}

// Filters are the filters beside lists of offers.
func (v SearchView) Filters(lists ...[]plan.Choice) FilterForm {
	q, keep := v.Query, v.Keep
	f := FilterForm{Action: "/searches/" + url.PathEscape(v.ID), Swap: "head stream filters offers",
		Member: q.Get("member"), Days: q.Get(sevenDays), Facets: keep.facets(lists...),
		Max: keep.Max, On: keep.On(), Clear: url.Values{},
		written: v.laid.choices}
	if f.Member != "" {
		f.Clear.Set("member", f.Member)
	}
	if keep.Sort != "" {
		f.Sort = keep.Sort
		f.Clear.Set("sort", f.Sort)
	}
	for _, choices := range lists {
		if len(choices) > 0 {
			f.Ccy = choices[0].Price().Currency
			break
		}
	}
	return f
}

// title names the traveller and the places: "Ocampo, Arnel · Manila → port of Rotterdam".
func (p resultsPage) title() string {
	title := p.Who
	if len(p.Legs) > 0 {
		title += " · " + placeWords(p.Legs[0].Origin)
		for _, l := range p.Legs {
			title += " → " + placeWords(l.Destination)
		}
	}
	return title
}

func placeWords(code gangway.Place) string {
	if p, ok := world.PlaceOf(string(code)); ok {
		return PlaceName(p)
	}
	return string(code)
}

// answer sums up the page in one line, with what is the same for every flight.
func (p resultsPage) answer() string {
	var words []string
	switch l := p.List; {
	case l.Booked != nil && !l.Booked.Stand.Plain():
		words = append(words, "Booked already: "+l.Booked.Locator, l.Booked.Stand.Words)
	case l.Booked != nil:
		words = append(words, "Booked already: "+l.Booked.Locator)
	case l.Total == 0 && l.Searching:
		words = append(words, "Looking for flights")
	case l.Total == 0:
		words = append(words, "No flights found")
	default:
		words = append(words, l.Shown()+l.fromWords())
		if l.Searching {
			words = append(words, "still looking")
		}
	}
	if len(p.Legs) > 0 {
		words = append(words, p.due())
	}
	words = append(words, p.List.Roads...)
	for _, b := range p.List.Twice {
		words = append(words, "has a booking "+b.Locator+" around these days")
	}
	return strings.Join(words, " · ")
}

// due says when the traveller is due, or leaves.
func (p resultsPage) due() string {
	l := p.Legs[0]
	if l.ArriveOn == "" {
		return LegWhen(l, shell.DayInWords)
	}
	where := "due there "
	if place, ok := world.PlaceOf(string(l.Destination)); ok && place.Kind == world.PortPlace {
		where = "due on board "
	}
	if l.ArriveBy != "" {
		return where + "by " + l.ArriveBy + " on " + shell.DayInWords(l.ArriveOn)
	}
	return where + "by the end of " + shell.DayInWords(l.ArriveOn)
}

// fromWords says what the cheapest fare costs.
func (l OfferList) fromWords() string {
	switch from := " from " + shell.Amount(l.From); {
	case l.Matching == 0:
		return ""
	case !l.ruled():
		return from
	case !l.FromAny:
		return from + " for crew"
	case l.Fares != gangway.FareRule{}:
		return from + " · none meets company policy: crew need " + book.FareNeeds(l.Fares)
	default:
		return from + " · each has a refused airline or transit"
	}
}

// LegWhen says when a leg was asked for, with its date in words.
func LegWhen(l gangway.Leg, words func(gangway.Date) string) string {
	switch {
	case l.ArriveOn != "" && l.ArriveBy != "":
		return fmt.Sprintf("there by %s on %s", l.ArriveBy, words(l.ArriveOn))
	case l.ArriveOn != "":
		return "there on " + words(l.ArriveOn)
	case l.Date != "" && l.LeaveAfter != "":
		return fmt.Sprintf("leaving after %s on %s", l.LeaveAfter, words(l.Date))
	case l.Date != "":
		return "leaving on " + words(l.Date)
	}
	return "no date given"
}

// LastDate returns the date that was asked for the last of the legs.
func LastDate(legs []gangway.Leg) gangway.Date {
	if len(legs) == 0 {
		return ""
	}
	return legDate(legs[len(legs)-1])
}

// editQuery fills in the Book page with what was searched for. A passport number is
// never written into an address; where nothing else identifies the traveller, the form
// asks again who is meant.
func editQuery(s gangway.Search) url.Values {
	m := s.Members[0]
	q := url.Values{"name": {m.Traveller.LastName + ", " + m.Traveller.FirstName}, "vessel": {s.Vessel},
		"flag": {string(s.Flag)}, "fare": {string(m.FareType)}}
	if m.Traveller.ID != "" {
		q.Set("traveller", m.Traveller.RecordKey())
	}
	for _, l := range m.Legs {
		q.Add("from", PlaceLabel(l.Origin))
		q.Add("to", PlaceLabel(l.Destination))
		q.Add("date", string(legDate(l)))
		if l.ArriveOn != "" {
			q.Set("when", "arrive")
			q.Set("time", l.ArriveBy)
		}
	}
	return q
}
