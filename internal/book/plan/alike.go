package plan

import (
	"cmp"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
	"gangway/internal/store"
)

// The price that an approver compares a booking with is worked out here, from what
// the search has found, and never taken from a form: the cheapest offer that keeps
// the same times and has rules and baggage that are at least as good.
//
// Decided: docs/choices.md, "What does an approver compare a price with?".

// CheapestAlike returns the price of that, of what crew may use, for an offer that is held at a price;
// nothing if this process has not found all flights of the search, so that it is
// not known.
func (ss *Sessions) CheapestAlike(in store.Scoped, by gangway.Settings, s gangway.Search, member int, offer string,
	price gangway.Money) gangway.Money {
	ss.mu.Lock()
	session := ss.kept[searchKey(in.Scope(), s)]
	ss.mu.Unlock()
	if session == nil {
		return gangway.Money{}
	}
	if f := session.Look().Members[member]; f.Done {
		return cheapestAlike(f.Offers, by, offer, price, s.Members[member])
	}
	return gangway.Money{}
}

// cheapestAlike returns the lowest price among the offers that could replace the
// chosen one, which costs price; nothing if the chosen one is not among them.
func cheapestAlike(offers []flight.Offer, by gangway.Settings, chosen string, price gangway.Money,
	m gangway.SearchMember) gangway.Money {
	var mine *flight.Offer
	for i := range offers {
		if offers[i].ID == chosen {
			mine = &offers[i]
		}
	}
	if mine == nil {
		return gangway.Money{}
	}
	least := price
	for _, o := range offers {
		if total := o.Price.Total; total.Currency == least.Currency && total.Minor < least.Minor &&
			keepsTimes(o, *mine, m) && keepsRules(o, *mine) &&
			by.Bars(o.PricedItinerary, flight.CountryOf) == (gangway.Bar{}) {
			least = total
		}
	}
	return least
}

// keepsTimes reports whether o serves m as well as mine does: it leaves as close to
// the wished time, does not leave before the ship is in, and leaves as much time to
// spare, by the same grades as pages show.
func keepsTimes(o, mine flight.Offer, m gangway.SearchMember) bool {
	if leavesTooSoon(o.Itinerary, m) && !leavesTooSoon(mine.Itinerary, m) {
		return false
	}
	if offWish(mine.Itinerary, m.Wishes) <= nearest && offWish(o.Itinerary, m.Wishes) > nearest {
		return false
	}
	theirs, ours := SpareOf(o.Itinerary, m.Legs), SpareOf(mine.Itinerary, m.Legs)
	if !ours.Known() {
		return true
	}
	return theirs.Grade <= ours.Grade || theirs.Left >= ours.Left
}

// keepsRules reports whether the fare of o is at least as good as that of mine.
func keepsRules(o, mine flight.Offer) bool {
	t, u := o.Terms, mine.Terms
	if u.FareType == gangway.Marine && t.FareType != gangway.Marine {
		return false
	}
	return asGood(cancelRank[t.Cancellations], cancelRank[u.Cancellations], t.CancelFee, u.CancelFee) &&
		asGood(changeRank[t.Changes], changeRank[u.Changes], t.ChangeFee, u.ChangeFee) && carriesAsMuch(o, mine)
}

var (
	cancelRank = map[gangway.CancelRule]int{gangway.NonRefundable: 0, gangway.PaidCancel: 1, gangway.Refundable: 2}
	changeRank = map[gangway.ChangeRule]int{gangway.NoChange: 0, gangway.PaidChange: 1, gangway.FreeChange: 2}
)

// asGood compares two rules, and if they are the same, their fees.
func asGood(rule, than int, fee, thanFee gangway.Money) bool {
	if rule != than {
		return rule > than
	}
	return fee.IsZero() || fee.Currency == thanFee.Currency && fee.Minor <= thanFee.Minor
}

// carriesAsMuch reports whether o includes at least as much baggage on the whole
// journey as mine.
func carriesAsMuch(o, mine flight.Offer) bool {
	pieces, weight := included(o)
	wanted, heavy := included(mine)
	return pieces > wanted || pieces == wanted && (weight == 0 || weight >= heavy)
}

// included returns the least number of pieces included on any flight of an offer,
// and the weight of each; 0 if the supplier does not say.
func included(o flight.Offer) (pieces, weight int) {
	for i, a := range o.Baggage {
		if i == 0 || cmp.Or(cmp.Compare(a.Pieces, pieces), cmp.Compare(a.WeightKg, weight)) < 0 {
			pieces, weight = a.Pieces, a.WeightKg
		}
	}
	return pieces, weight
}
