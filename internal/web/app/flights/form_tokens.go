package flights

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"gangway/internal/book"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/shell"
)

// The identifiers in a form are tied to the page that the form was made for. A
// booking's identifier is good for one person and one place on one page; an offer is
// good for one traveller of the search that found it. Any other identifier or offer
// is refused, so that nobody can choose a booking's identifier, or book a seafarer's
// fare for a traveller who is not a seafarer.
//
// Decided: docs/choices.md, "A booking's identifier and its offer".

// formLife is how long a form can be sent: as long as a session without use.
const formLife = 24 * time.Hour

// Forms makes and reads the identifiers in the forms of one page, for the person who is signed in.
type Forms struct {
	Keys    shell.FormKeys
	now     time.Time
	account string
	visitor shell.Visitor
	Search  gangway.Search // shown by the page; empty where it shows none
}

// Forms returns the Forms of a page about s.
func (room *Room) Forms(ctx context.Context, in store.Scoped, s gangway.Search) Forms {
	v, _ := shell.VisitorOf(ctx)
	return Forms{room.FormKeys, room.Now(), in.Scope().Account, v, s}
}

// Places on a page for which there are identifiers, besides the members of a search.
const (
	EntryPlace = "entry"
	BatchPlace = "batch"
)

// MemberPlace is the place of a member of a search.
func MemberPlace(member int) string { return "member " + strconv.Itoa(member) }

// Fresh returns a new identifier for a place.
func (f Forms) Fresh(place string) string { return f.Carry(place, book.NewID()) }

// Carry returns an identifier in the form that a page carries.
func (f Forms) Carry(place, id string) string {
	ends := strconv.FormatInt(f.now.Add(formLife).Unix(), 36)
	return id + "." + ends + "." + f.Keys.Sign(f.values(place, id, ends)...)
}

func (f Forms) values(place, id, ends string) []string {
	return []string{"identifier", f.account, f.visitor.Person().ID, f.Search.ID, place, id, ends}
}

// Identifier returns the identifier that a form carries for a place, or none when it
// was not given to this person for that place. old says that it was given too long
// ago.
func (f Forms) Identifier(place, carried string) (id string, old bool) {
	parts := strings.Split(carried, ".")
	if len(parts) != 3 || !f.Keys.Signed(parts[2], f.values(place, parts[0], parts[1])...) {
		return "", false
	}
	ends, err := strconv.ParseInt(parts[1], 36, 64)
	return parts[0], err != nil || f.now.Unix() > ends
}

// BookingID returns the identifier of the booking that a form makes. A form that is
// too old has none, unless its booking was made before: then it is that booking's.
func (room *Room) BookingID(ctx context.Context, in store.Scoped, f Forms, place, carried string) (string, error) {
	id, old := f.Identifier(place, carried)
	if id == "" || !old {
		return id, nil
	}
	_, err := in.Booking(ctx, id)
	if gangway.KindOf(err) == gangway.NotFound {
		return "", nil
	}
	return id, err
}

// Offer returns the reference by which a form carries an offer that was found for a member.
func (f Forms) Offer(member int, id string) string { return f.offers(member)(id) }

// offers returns a function that writes such references for one member.
func (f Forms) offers(member int) func(id string) string {
	found := f.found(member)
	return func(id string) string { return f.Keys.Attach(id, slices.Clip(found)...) }
}

// FoundOffer returns the offer that a form carries, or none when it was not found for
// this member, or when the search has since changed.
func (f Forms) FoundOffer(member int, carried string) string {
	return f.Keys.Detach(carried, f.found(member)...)
}

// found is everything that an offer depends on: where, when, at which fares and for whom.
func (f Forms) found(member int) []string {
	f.visitor.Person() // what shows it is for one reader
	s, m := f.Search, f.Search.Members[member]
	who := m.Traveller.LastName + "\n" + m.Traveller.FirstName + "\n" + string(m.Traveller.DOB)
	return []string{"offer", f.account, s.ID, strconv.Itoa(member), s.Vessel, string(s.Flag), string(m.FareType),
		fmt.Sprintf("%+q", m.Legs), who}
}

// ChangeOffer returns the reference by which a form carries other flights that were found for a booking.
func (f Forms) ChangeOffer(booking, id string) string {
	f.visitor.Person()
	return f.Keys.Attach(id, "change", f.account, booking)
}

// FoundChange returns the other flights that a form carries, or none when they were
// not found for this booking.
func (f Forms) FoundChange(booking, carried string) string {
	return f.Keys.Detach(carried, "change", f.account, booking)
}

// Quoted returns what a page has quoted in the form in which a form carries it, for this person.
func (f Forms) Quoted(what, doc string) string {
	return f.Keys.Attach(doc, "quoted", f.account, f.visitor.Person().ID, what)
}

// FoundQuote returns what a form carries of a quote, or nothing where it was not quoted to this person.
func (f Forms) FoundQuote(what, carried string) string {
	return f.Keys.Detach(carried, "quoted", f.account, f.visitor.Person().ID, what)
}

// What pages say about a form that is too old, or was made for something else.
const (
	StaleForm = "This page was open for too long, or was made for something else. Nothing was done; look at it " +
		"once more and send it again."
	staleOffer  = "This flight was not found for this traveller and this search as it is now."
	StaleChange = "these flights were not found for a change of this booking: choose among those that are found now"
)
