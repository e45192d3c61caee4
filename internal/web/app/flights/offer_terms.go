package flights

import (
	"strings"
	"time"

	"gangway/internal/book"
	"gangway/internal/gangway"
	"gangway/internal/web/app/shell"
	"gangway/internal/world"
)

// A Sentence is a rule of a fare in words, with the instant until which it holds,
// local to an airport, and what holds afterwards.
type Sentence struct {
	Class string // "good" or "watch"; empty: a fact that nobody has to act on
	Words string
	Until time.Time
	At    gangway.Airport // where Until is local; empty: Until is in UTC
	After string
}

// instant is said of offers that airlines do not hold: how long the seats are kept is known only once they are.
const instant = "Instant ticketing: seats are held for minutes only"

// holdTerm says until when an offer or a booking without tickets can be released for nothing.
func holdTerm(ticketBy time.Time) Sentence {
	if ticketBy.IsZero() {
		return Sentence{Class: "watch", Words: instant}
	}
	return Sentence{Class: "good", Words: "Free release and fare guaranteed", Until: ticketBy}
}

// holdTerms says until when a held offer can be released for nothing: two sentences
// where its price ends before its seats do.
func holdTerms(ticketBy, priceUntil time.Time) []Sentence {
	if ticketBy.IsZero() || priceUntil.IsZero() || priceUntil.Equal(ticketBy) {
		return []Sentence{holdTerm(ticketBy)}
	}
	return []Sentence{
		{Class: "good", Words: "Fare guaranteed", Until: priceUntil, After: "then the airline’s fare of the day"},
		{Class: "good", Words: "Seats held, free release", Until: ticketBy},
	}
}

// HeldTerms says until when the price and the seats of a booking without tickets are
// good, and when its price has ended, that it has.
func HeldTerms(b gangway.Booking, now time.Time) []Sentence {
	if !b.PriceEnded(now) || b.HoldEnded(now) {
		return []Sentence{holdTerm(b.PriceGood())}
	}
	return []Sentence{
		{Class: "watch", Words: "Fare was guaranteed", Until: b.PriceGood(),
			After: "issuing now costs the airline’s fare of the day, quoted first"},
		{Class: "good", Words: "Seats held, free release", Until: b.HoldUntil},
	}
}

// Terms says what it costs to cancel, to change and not to turn up.
func Terms(t gangway.Terms, it gangway.Itinerary) []Sentence {
	departure, from := itineraryStart(it)
	after := "then the no-show rule"
	var list []Sentence
	switch {
	case t.Cancellations == gangway.NonRefundable:
		list = append(list, Sentence{Words: "Non-refundable once tickets can no longer be voided"})
	case t.Cancellations == gangway.PaidCancel || !t.CancelFee.IsZero():
		list = append(list, Sentence{Class: "watch", Words: "Cancellation fee " + t.CancelFee.Words(),
			Until: departure, At: from, After: after})
	default:
		list = append(list, Sentence{Class: "good", Words: "Fully refundable", Until: departure, At: from,
			After: after})
	}
	list = append(list, ChangeTerm(t, it))
	if t.NoShow != "" {
		list = append(list, Sentence{Class: "watch", Words: strings.TrimSuffix(t.NoShow, ".")})
	}
	if t.Splitting {
		list = append(list, Sentence{Class: "watch",
			Words: "Two separate tickets: a missed connection is not protected, and bags are checked in again"})
	}
	return list
}

// ChangeTerm says what changing costs.
func ChangeTerm(t gangway.Terms, it gangway.Itinerary) Sentence {
	departure, from := itineraryStart(it)
	switch {
	case t.Changes == gangway.NoChange:
		return Sentence{Words: "No changes"}
	case t.Changes == gangway.PaidChange || !t.ChangeFee.IsZero():
		return Sentence{Class: "watch", Words: "Change fee " + t.ChangeFee.Words() + " plus the fare difference",
			Until: departure, At: from}
	}
	return Sentence{Class: "good", Words: "Free changes; a dearer flight costs the fare difference", Until: departure,
		At: from}
}

// itineraryStart returns when and where an itinerary begins.
func itineraryStart(it gangway.Itinerary) (time.Time, gangway.Airport) {
	if len(it.Segments) == 0 {
		return time.Time{}, ""
	}
	return it.Departure(), it.Segments[0].Origin
}

// termSigns shows the rules of a fare at a glance.
func termSigns(t gangway.Terms) []sign {
	var list []sign
	switch {
	case t.Changes == gangway.NoChange:
		list = append(list, sign{"change", "", "no changes"})
	case t.Changes == gangway.PaidChange:
		list = append(list, sign{"change", "watch", "change fee " + t.ChangeFee.Words()})
	default:
		list = append(list, sign{"change", "good", "free changes"})
	}
	switch {
	case t.Cancellations == gangway.NonRefundable:
		list = append(list, sign{"refund", "", "non-refundable"})
	case t.Cancellations == gangway.PaidCancel:
		list = append(list, sign{"refund", "watch", "refundable less " + t.CancelFee.Words()})
	default:
		list = append(list, sign{"refund", "good", "refundable"})
	}
	if t.NoShow != "" {
		list = append(list, sign{"noshow", "watch", strings.TrimSuffix(t.NoShow, ".")})
	}
	if t.Splitting {
		list = append(list, sign{"split", "watch", "two separate tickets: a missed connection is not protected"})
	}
	return list
}

// FareWords names a fare. The brand of a marine fare adds nothing.
func FareWords(t gangway.Terms) string {
	if t.Brand == "" || strings.EqualFold(t.Brand, string(t.FareType)) {
		return string(t.FareType)
	}
	return string(t.FareType) + " " + t.Brand
}

// FareName names a fare in one word: "Marine", "Flex".
func FareName(t gangway.Terms) string {
	if t.Brand != "" {
		return t.Brand
	}
	return shell.Capital(string(t.FareType))
}

// BarWords says why crew do not use an offer; nothing where they may.
func BarWords(b gangway.Bar) string {
	switch {
	case b.Avoided != "":
		return world.AirlineName(b.Avoided) + " is not used by this account"
	case b.Transit != "":
		return "Crew do not change planes in " + world.PlaceIn(string(b.Transit)) + " (" + string(b.Transit) + ")"
	case b.Unmet != gangway.FareRule{}:
		return shell.Capital(unmetWords(b.Unmet))
	}
	return ""
}

func unmetWords(unmet gangway.FareRule) string {
	if unmet == (gangway.FareRule{}) {
		return ""
	}
	return "crew need " + book.FareNeeds(unmet)
}

// fareRule says in at most two words what a fare allows, by the rule that matters most: "refund −25", "change free".
// Fees in the price's own currency come without it.
func fareRule(t gangway.Terms, currency string) string {
	fee := func(m gangway.Money) string {
		if m.Currency == currency {
			return strings.TrimSuffix(strings.TrimPrefix(m.Words(), currency+" "), ".00")
		}
		return m.Words()
	}
	switch {
	case t.Cancellations == gangway.PaidCancel || t.Cancellations != gangway.NonRefundable && !t.CancelFee.IsZero():
		return "refund −" + fee(t.CancelFee)
	case t.Cancellations != gangway.NonRefundable:
		return "refund"
	case t.Changes == gangway.PaidChange || t.Changes != gangway.NoChange && !t.ChangeFee.IsZero():
		return "fee " + fee(t.ChangeFee)
	case t.Changes != gangway.NoChange:
		return "change free"
	}
	return "fixed"
}
