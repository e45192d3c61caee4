package crew

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"gangway/internal/book"
	"gangway/internal/book/plan"
	"gangway/internal/gangway"
	"gangway/internal/web/app/flights"
	"gangway/internal/web/app/shell"
)

// aimNames name the ways to answer for everybody.
var aimNames = map[plan.Aim]string{plan.AimCheapest: "Cheapest for each", plan.AimPlan: "Everybody to the new plan",
	plan.AimWait: "Keep who can wait"}

// aims puts the three ways to answer into words, and returns what the one that is selected comes to.
func (b boardView) aims(p *boardPage) plan.Total {
	on, open, others := plan.TotalOf(b.aim, b.people, b.rates), 0, 0
	for _, one := range b.crew.People {
		if one.Good() || one.Standing == gangway.UnderWay || one.Standing == gangway.Arrived {
			others += one.Nights
		}
	}
	for _, m := range b.people {
		if m.Open {
			open++
		}
	}
	for _, aim := range plan.Aims {
		t := plan.TotalOf(aim, b.people, b.rates)
		a := boardAim{Aim: aim, Name: aimNames[aim], On: aim == b.aim, Words: aimWords(t, open, others)}
		var sums []gangway.Money
		for _, m := range t.Sum {
			in, by, known := b.settings.Rates.Convert(m, b.settings.Currency)
			if known && in.Currency != m.Currency {
				a.Words += " · " + m.Currency + " " + by.Words()
			}
			if known {
				m = in
			}
			sums = gangway.AddMoney(sums, m)
		}
		a.Sum = cmp.Or(sumWords(sums, " less"), shell.Amount(gangway.Money{Currency: b.ccy}))
		if !a.On && slices.Equal(t.Picks, on.Picks) {
			a.Sum, a.Words = "same", "as "+aimNames[b.aim]
		}
		p.Aims = append(p.Aims, a)
	}
	return on
}

// sumWords writes sums, those below zero with what that is: "USD 1,204.30, EUR 15.00 less"; nothing for zero.
func sumWords(sums []gangway.Money, below string) string {
	var words []string
	for _, m := range sums {
		if !m.IsZero() {
			words = append(words, shell.Amount(unsigned(m))+map[bool]string{true: below}[m.Minor < 0])
		}
	}
	return strings.Join(words, ", ")
}

// aimWords says what is done for how many, and what the sum does not count: the nights of others, for whom nothing is
// to be done, too.
func aimWords(t plan.Total, open, others int) string {
	var words []string
	count := func(n int, one, many string) {
		if n > 0 {
			words = append(words, shell.Plural(n, one, many))
		}
	}
	count(t.Ways[book.WayChange], "change", "changes")
	count(t.Ways[book.WayAnew]+t.Ways[book.WayHold], "new", "new")
	count(t.Ways[book.WayRelease]+t.Ways[book.WayCancel], "ends", "end")
	count(t.Ways[""], "stays", "stay")
	switch nights := shell.Plural(t.Nights, "night", "nights"); t.Unpriced {
	case 0:
		words = append(words, nights)
	case t.Nights:
		words = append(words, nights+", no price")
	default:
		words = append(words, nights+", "+shell.Number(t.Unpriced)+" without a price")
	}
	count(others, "night of others not counted", "nights of others not counted")
	count(t.Unknown, "refund not known", "refunds not known")
	count(open, "being quoted", "being quoted")
	count(t.Without-open, "unquoted", "unquoted")
	return strings.Join(words, " · ")
}

// boardButton says what the button does: "Do 17 · USD 1,204.30".
func boardButton(n int, due []gangway.Money) string {
	return strings.TrimSuffix("Do "+shell.Number(n)+" · "+sumWords(due, " less"), " · ")
}

// barWords says what is paid or comes back at once, and whose approval is needed and until when.
func barWords(ticked []boardOption) string {
	n, whose, until, now := 0, []string{}, time.Time{}, []gangway.Money{}
	for _, o := range ticked {
		for _, sum := range o.AtOnce {
			now = gangway.AddMoney(now, sum)
		}
		if o.Approval.Why == "" {
			continue
		}
		n++
		for _, name := range o.Approval.Whose {
			if !slices.Contains(whose, name) {
				whose = append(whose, name)
			}
		}
		until = earlier(until, o.Approval.Until)
	}
	if len(ticked) == 0 {
		return ""
	}
	words := "now: " + cmp.Or(sumWords(now, " back"), "nothing")
	if n == 0 {
		return words
	}
	words += " · approval"
	if len(whose) > 0 {
		words += ": " + strings.Join(whose[:min(2, len(whose))], ", ")
	}
	if !until.IsZero() {
		words += ", until " + until.UTC().Format(shell.LongUTC)
	}
	return words + " for " + shell.Number(n)
}

// soonWords writes an instant in UTC, with the day where it is not within a day.
func soonWords(at, now time.Time) string {
	if at.Sub(now) < 24*time.Hour {
		return at.UTC().Format("15:04")
	}
	return at.UTC().Format("Mon 2 Jan 15:04")
}

// wayWords name what is done.
func wayWords(m plan.Moved, o plan.Option) string {
	switch o.Way {
	case "":
		return "keep"
	case book.WayChange:
		if m.Booking.Ticketed() {
			return "change ticket"
		}
		return "change hold"
	case book.WayHold:
		return "hold"
	case book.WayRelease:
		return "release"
	}
	end := map[bool]string{true: "refund", false: "cancel"}[!o.Back.IsZero()]
	switch held := !m.Booking.Ticketed(); {
	case o.Void:
		end = "void"
	case held:
		return "rebook hold"
	}
	if o.Way == book.WayCancel {
		return end
	}
	return "rebook, " + end
}

// bufferWords says how flights meet the ship: the buffer of those who join, and the nights of those who wait.
func bufferWords(m plan.Moved, o plan.Option) (words, class string) {
	nights := shell.Plural(o.Meeting.Nights, "night", "nights")
	switch {
	case m.Plan.Unneeded != "" || len(o.Itinerary.Segments) == 0:
	case o.Way == "" && m.MayWait():
		return nights, "watch"
	case m.Side == gangway.OffSigner && o.Meeting.Nights > 0:
		return nights, ""
	case m.Side == gangway.OnSigner:
		spare := flights.SpareBeside(o.Itinerary, m.Plan)
		return spare.Short, spare.Class
	}
	return "", ""
}

// unready is why nobody may be booked by one press: what a person has to look at first.
func unready(m plan.Moved, longest int, travel gangway.Date) string {
	if m.Booking != nil {
		return ""
	}
	return cmp.Or(flights.TicketProblems(m.Traveller, longest), flights.Passport(m.Traveller, travel))
}
