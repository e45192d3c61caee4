package plan

import (
	"cmp"
	"slices"
	"time"

	"gangway/internal/book"
	"gangway/internal/gangway"
)

// An Option is one thing that can be done for a person whose crew change moved.
type Option struct {
	Way       book.Way // empty: the booking stays as it is
	Key       string   // the same as long as flights, money and rules are
	Pay       gangway.Money
	Back      gangway.Money
	Unknown   bool // the airline says only later what comes back
	Itinerary gangway.Itinerary
	Meeting   gangway.Meeting // of the new flights with the ship
	Ends      time.Time       // until when the quote holds; zero: not known
	Held      time.Time       // until when new seats are held; zero: tickets are bought at once
	Void      bool            // all that was paid comes back
	Approval  book.MoveApproval
	OneADay   string // the airline that may cancel the new or the old booking, since both are on one day
	Declined  string // which approver declined it before and why, a sentence; empty: none did

	ChosenBy string // who chose these flights for the person: an e-mail address; empty: they are proposed

	flown string // identifies the new flights and their fare
	ask   book.MoveAsk
}

// New returns the price of a new booking; no currency: there is none.
func (o Option) New() gangway.Money {
	if o.ask.New == nil {
		return gangway.Money{}
	}
	return o.ask.New.Price
}

// Sum is what o costs beside the bookings as they are, without nights.
func (o Option) Sum() []gangway.Money {
	return gangway.AddMoney(gangway.AddMoney(nil, o.Pay), minus(o.Back))
}

// AtOnce returns the part of the sum of o that is paid or comes back as soon as o is done, unless it needs approval.
// Holds are paid when tickets are issued.
func (m Moved) AtOnce(o Option) []gangway.Money {
	switch {
	case m.Booking != nil && m.Booking.Ticketed():
		return o.Sum()
	case o.Held.IsZero():
		return gangway.AddMoney(nil, o.New())
	}
	return nil
}

func minus(m gangway.Money) gangway.Money {
	return gangway.Money{Minor: -m.Minor, Currency: m.Currency}
}

// A Moved is one person on a board with what can be done for them.
type Moved struct {
	book.Person
	Options []Option      // the best of each way
	Member  int           // in the search of the board; below zero: nobody looks for flights
	Others  int           // how many more flights fit the plan
	Night   gangway.Money // what a night costs where they wait; no currency: nobody has said
	Open    bool          // more is being asked
	Why     string        // why there is no option, a sentence
	Ended   time.Time     // when the terms ended that were known, which are being asked anew; zero: they hold
	Spare   bool          // of a booking that nobody needs: another one serves, or the person does not travel
	Lost    string        // who chose flights that cannot be had; nothing is picked then: an e-mail address
}

// Fits reports whether the flights that are booked serve today's plan, whatever else is to be said about them.
func (m Moved) Fits() bool {
	switch m.Standing {
	case gangway.Fits, gangway.JustInTime, gangway.NameChanged:
		return m.Booking != nil
	}
	return false
}

// MayWait reports whether the flights that are booked serve today's plan once the traveller has waited.
func (m Moved) MayWait() bool {
	return m.Booking != nil && (m.Standing == gangway.TooEarly || m.Standing == gangway.WaitsTooLong)
}

// An Aim is one of the ways to answer for everybody when a crew change moved.
type Aim string

// The aims.
const (
	AimCheapest Aim = "cheapest" // for each person
	AimPlan     Aim = "plan"     // everybody travels by the new plan
	AimWait     Aim = "wait"     // those who can wait keep their flights
)

// Aims are all of them, in the order of pages.
var Aims = []Aim{AimCheapest, AimPlan, AimWait}

// Rates converts money to the currency that totals are in; false: nobody has said at what rate.
type Rates func(gangway.Money) (gangway.Money, bool)

// A Total is what is done for everybody, and what it costs.
type Total struct {
	Picks    []int            // of each person the option; -1: none
	Due      []gangway.Money  // what is paid less what comes back, by currency
	Sum      []gangway.Money  // the same with nights
	Nights   int              // that people wait
	Unpriced int              // of these, those whose price nobody has said
	Unknown  int              // refunds that airlines tell only later
	Without  int              // people for whom there is no option, or none yet
	Ways     map[book.Way]int // how many people are dealt with in which way
}

// TotalOf picks an option for each person, as the aim says, and adds up. The same people have the same total.
func TotalOf(aim Aim, people []Moved, rates Rates) Total {
	picks := make([]int, len(people))
	for i, m := range people {
		picks[i] = m.pick(aim, rates)
	}
	return Add(picks, people)
}

// Add adds up what picks cost: an option for each person, -1 for those for whom nothing is done.
func Add(picks []int, people []Moved) Total {
	t := Total{Picks: picks, Ways: map[book.Way]int{}}
	for i, m := range people {
		if picks[i] < 0 {
			if m.Lost != "" ||
				!slices.ContainsFunc(m.Options, func(o Option) bool { return o.Way != "" && o.OneADay == "" }) {
				t.Without++
			}
			continue
		}
		o := m.Options[picks[i]]
		t.Ways[o.Way]++
		if o.Unknown {
			t.Unknown++
		}
		for _, sum := range o.Sum() {
			t.Due = gangway.AddMoney(t.Due, sum)
		}
		t.Nights += o.Meeting.Nights
		if m.Night.Currency == "" {
			t.Unpriced += o.Meeting.Nights
		}
		for _, sum := range m.cost(o, nil) {
			t.Sum = gangway.AddMoney(t.Sum, sum)
		}
	}
	return t
}

// cost is what an option costs with the nights that have a price, in the currency of totals where there is a rate.
func (m Moved) cost(o Option, rates Rates) (sums []gangway.Money) {
	night := gangway.Money{Minor: int64(o.Meeting.Nights) * m.Night.Minor, Currency: m.Night.Currency}
	for _, sum := range gangway.AddMoney(o.Sum(), night) {
		if rates != nil {
			if in, known := rates(sum); known {
				sum = in
			}
		}
		sums = gangway.AddMoney(sums, sum)
	}
	return sums
}

// pick returns the option that serves the aim. What a person chose comes before any aim. Waiting never counts as
// cheaper while nobody has said what a night costs.
func (m Moved) pick(aim Aim, rates Rates) int {
	best, keep, chosen := -1, -1, false
	for i, o := range m.Options {
		switch {
		case chosen:
		case o.ChosenBy != "" && o.OneADay == "":
			best, chosen = i, true
		case o.ChosenBy != "":
			return -1
		case o.Way == "":
			keep = i
		case o.OneADay+o.Declined != "": // somebody has to agree to that
		case best < 0 || m.cheaper(o, m.Options[best], rates):
			best = i
		}
	}
	switch {
	case chosen:
		return best
	case m.Lost != "":
		return keep
	case keep >= 0 && (m.Fits() || aim == AimWait):
		return keep
	case keep < 0 || aim == AimPlan || m.Open:
		return best
	case best < 0:
		return keep
	case m.Night.Currency != "" && m.cheaper(m.Options[keep], m.Options[best], rates):
		return keep
	}
	return best
}

// cheaper compares two options for a person. One that leaves so little time that a late flight costs the ship is
// dearer than any that does not, and one that was declined than any that was not. Amounts between which there is no
// rate are not compared.
func (m Moved) cheaper(a, b Option, rates Rates) bool {
	if a.Meeting.Critical != b.Meeting.Critical {
		return b.Meeting.Critical
	}
	if declined := a.Declined != ""; declined != (b.Declined != "") {
		return !declined
	}
	x, y := m.cost(a, rates), m.cost(b, rates)
	if len(x) > 1 || len(y) > 1 {
		return false
	}
	var of, than gangway.Money
	for _, of = range x {
	}
	for _, than = range y {
	}
	if of.Currency != than.Currency && of.Minor != 0 && than.Minor != 0 {
		return false
	}
	return cmp.Or(cmp.Compare(of.Minor, than.Minor), cmp.Compare(a.Meeting.Nights, b.Meeting.Nights)) < 0
}
