package flights

import (
	"crypto/rand"
	"html/template"
	"strings"
)

// A takenAs is all that the forms of an offer in a list depend on beside the offer
// itself and the booking's identifier, which nobody shares with anybody.
type takenAs struct {
	buttonsAs
	Search         string
	Member         int
	Ref, Seen, For string
	Query          string // of the page; empty where no form carries it
	Chosen, Picked bool
	Booked, Crew   bool
}

// takenParts are the forms of an offer, before and after the booking's identifier.
type takenParts struct{ Before, After template.HTML }

// anyBooking stands for the booking's identifier where forms are written for all.
// Nothing that a customer has sent can look so: nobody knows it.
var anyBooking = rand.Text()

// Take returns the forms of the offer in l, written once for all to whom they are
// the same. Where something is asked of the traveller or to be acknowledged, they
// are written for each reader.
func (r *offerListRow) Take(l OfferList) (takenParts, error) {
	if l.asks || len(l.Twice) > 0 {
		return r.writeTake(l)
	}
	as := takenAs{
		buttonsAs: r.holds, Search: l.Search, Member: l.Member, Ref: r.Ref, Seen: l.Seen, For: l.For,
		Chosen: r.Chosen, Picked: r.Picked, Booked: l.Booked != nil, Crew: l.Crew,
	}
	if l.Crew {
		as.Query = l.encoded
	}
	return r.laid.takenFor(as, func() (takenParts, error) { return r.writeTake(l) })
}

// writeTake writes the forms of the offer, apart where the booking's identifier stands.
func (r *offerListRow) writeTake(l OfferList) (takenParts, error) {
	row := *r
	row.Booking = anyBooking
	html, err := r.laid.render("offer-take", map[string]any{"O": &row, "L": l})
	before, after, _ := strings.Cut(string(html), anyBooking)
	return takenParts{template.HTML(before), template.HTML(after)}, err
}
