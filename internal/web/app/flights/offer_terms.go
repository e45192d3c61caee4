package flights

import (
	"strings"
	"time"

	"gangway/internal/gangway"
)

// A Sentence is a rule of a fare in words, with the instant until which it holds,
// local to an airport, and what holds afterwards.
type Sentence struct {
	Class string // "good", "watch" or "act"
	Words string
	Until time.Time
	At    gangway.Airport // where Until is local; empty: Until is in UTC
	After string
}

// holdTerm says until when an offer or a booking without tickets can be given up for nothing.
func holdTerm(ticketBy time.Time) Sentence {
	if ticketBy.IsZero() {
		return Sentence{Class: "watch", Words: "Has to be ticketed at once: seats are kept only for as long as that " +
			"takes"}
	}
	return Sentence{Class: "good", Words: "Until tickets are issued it can be given up for nothing; the price is good",
		Until: ticketBy}
}

// holdTerms says until when a held offer can be given up for nothing: two sentences
// where its price ends before its seats do.
func holdTerms(ticketBy, priceUntil time.Time) []Sentence {
	if ticketBy.IsZero() || priceUntil.IsZero() || priceUntil.Equal(ticketBy) {
		return []Sentence{holdTerm(ticketBy)}
	}
	return []Sentence{
		{Class: "good", Words: "If it is held now, the price is good", Until: priceUntil,
			After: "then it is what the airline asks that day"},
		{Class: "good", Words: "Seats are kept, and can be given up for nothing,", Until: ticketBy},
	}
}

// HeldTerms says until when the price and the seats of a booking without tickets are
// good, and when its price has ended, that it has.
func HeldTerms(b gangway.Booking, now time.Time) []Sentence {
	if !b.PriceEnded(now) || b.HoldEnded(now) {
		return []Sentence{holdTerm(b.PriceGood())}
	}
	return []Sentence{
		{Class: "watch", Words: "The price was good", Until: b.PriceGood(),
			After: "issuing costs what the airline asks now, and you see it first"},
		{Class: "good", Words: "Seats are kept, and can be given up for nothing,", Until: b.HoldUntil},
	}
}

// Terms says what it costs to cancel, to change and not to turn up.
func Terms(t gangway.Terms, it gangway.Itinerary) []Sentence {
	departure, from := itineraryStart(it)
	after := "afterwards the no-show rule applies"
	var list []Sentence
	switch {
	case t.Cancellations == gangway.NonRefundable:
		list = append(list, Sentence{Class: "act", Words: "Non-refundable: nothing of the fare comes back once " +
			"tickets are issued and can no longer be voided"})
	case t.Cancellations == gangway.PaidCancel || !t.CancelFee.IsZero():
		list = append(list, Sentence{Class: "watch", Words: "Cancelling costs " + t.CancelFee.String() +
			", the rest comes back", Until: departure, At: from, After: after})
	default:
		list = append(list, Sentence{Class: "good", Words: "Refundable: cancelling costs nothing", Until: departure,
			At: from, After: after})
	}
	list = append(list, ChangeTerm(t, it))
	if t.NoShow != "" {
		list = append(list, Sentence{Class: "watch", Words: strings.TrimSuffix(t.NoShow, ".")})
	}
	if t.Splitting {
		list = append(list, Sentence{Class: "watch",
			Words: "Two reservations: if the first is late the second is lost; bags are collected in between"})
	}
	return list
}

// ChangeTerm says what changing costs.
func ChangeTerm(t gangway.Terms, it gangway.Itinerary) Sentence {
	departure, from := itineraryStart(it)
	switch {
	case t.Changes == gangway.NoChange:
		return Sentence{Class: "act", Words: "No changes"}
	case t.Changes == gangway.PaidChange || !t.ChangeFee.IsZero():
		return Sentence{Class: "watch", Words: "Changing costs " + t.ChangeFee.String() + " and the difference in fare",
			Until: departure, At: from}
	}
	return Sentence{Class: "good", Words: "Changing is free; a dearer flight costs the difference", Until: departure,
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
		list = append(list, sign{"change", "act", "no changes"})
	case t.Changes == gangway.PaidChange:
		list = append(list, sign{"change", "watch", "changes for " + t.ChangeFee.String()})
	default:
		list = append(list, sign{"change", "good", "free changes"})
	}
	switch {
	case t.Cancellations == gangway.NonRefundable:
		list = append(list, sign{"refund", "act", "non-refundable"})
	case t.Cancellations == gangway.PaidCancel:
		list = append(list, sign{"refund", "watch", "refundable less " + t.CancelFee.String()})
	default:
		list = append(list, sign{"refund", "good", "refundable"})
	}
	if t.NoShow != "" {
		list = append(list, sign{"noshow", "watch", strings.TrimSuffix(t.NoShow, ".")})
	}
	if t.Splitting {
		list = append(list, sign{"split", "watch", "two reservations: if the first is late the second is lost"})
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
