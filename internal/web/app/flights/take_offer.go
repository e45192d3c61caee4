package flights

import (
	"crypto/rand"
	"fmt"
	"html/template"
	"strings"
)

// A takenAs is everything that an offer in a list depends on besides the offer itself
// and the booking's identifier, which is each reader's own.
type takenAs struct {
	buttonsAs
	Search         string
	Member         int
	Ref, Seen, For string
	Query          string // of the page; empty where no form carries it
	Asked          string // what the form asks for, or asks to be acknowledged
	Chosen, Picked bool
	Booked, Crew   bool
}

// mark takes the place of what is put into an offer that is written once for all
// readers. Customers' data cannot contain it, because nobody knows it.
var mark = rand.Text()

// A taken is an offer in a list without its four parts, which go between its first
// five pieces, and without the booking's identifier, which goes before the sixth.
// Where nothing can be held there is no sixth.
type taken []string

// markedParts are marks in place of an offer's parts, for writing only what is around them.
var markedParts = offerParts{template.HTML(mark), template.HTML(mark), template.HTML(mark), template.HTML(mark)}

// Written returns the HTML of the offer in l. It is written once for all readers for
// whom it is the same, and this reader's own identifier is put in.
func (r *offerListRow) Written(l OfferList) (template.HTML, error) {
	parts, err := r.laid.parts()
	if err != nil {
		return "", err
	}
	as := takenAs{
		buttonsAs: r.holds, Search: l.Search, Member: l.Member, Ref: r.Ref, Seen: l.Seen, For: l.For, Asked: l.asked,
		Chosen: r.Chosen, Picked: r.Picked, Booked: l.Booked != nil, Crew: l.Crew,
	}
	if l.Crew {
		as.Query = l.encoded
	}
	around, err := r.laid.takenFor(as, func() (taken, error) { return r.writeTake(l) })
	if err != nil {
		return "", err
	}
	inside := [...]string{string(parts.Head), string(parts.Facts), string(parts.Body), string(parts.Price), r.Booking}
	var all strings.Builder
	size := 0
	for i, piece := range around {
		size += len(piece) + len(inside[min(i, len(inside)-1)])
	}
	all.Grow(size)
	for i, piece := range around {
		if i > 0 {
			all.WriteString(inside[i-1])
		}
		all.WriteString(piece)
	}
	return template.HTML(all.String()), nil
}

// writeTake writes the offer and cuts it where its parts and the booking's identifier go.
func (r *offerListRow) writeTake(l OfferList) (taken, error) {
	row := *r
	row.Booking = mark
	html, err := r.laid.render("offer", map[string]any{"O": &row, "L": l, "P": markedParts})
	if err != nil {
		return nil, err
	}
	pieces := strings.Split(string(html), mark)
	if n := len(pieces); n != 5 && n != 6 {
		return nil, fmt.Errorf("write an offer: it has %d pieces, not 5 or 6", n)
	}
	return pieces, nil
}

// asks notes what the forms of l ask for or ask to be acknowledged, which is all that
// their templates show of the traveller.
func (l *OfferList) asks() {
	fields, passport := l.Passenger.Asked(), l.Passenger.Passport()
	if l.asked = ""; len(fields) > 0 || passport != "" || len(l.Twice) > 0 {
		l.asked = fmt.Sprintf("%#v", []any{fields, passport, l.Passenger.DocExpire, l.Passenger.Agreed, l.Twice})
	}
}
