package book

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/world"
)

// BookAsk is a request to book: an offer for a member of a search, at a price.
type BookAsk struct {
	ID       string        `json:"id"` // chosen when the form was made: the same form sent twice books once
	Search   string        `json:"search"`
	Member   int           `json:"member"`
	Offer    string        `json:"offer"`
	Supplier string        `json:"supplier,omitempty"` // whose offer it is; empty: the account's own
	Price    gangway.Money `json:"price"`              // what the booker agreed to
	// of what was found alike, for the approver to compare; never from a form
	Cheapest gangway.Money `json:"cheapest"`
	// system is to issue it before its price ends; else its seats are let go
	AutoIssue bool              `json:"auto_issue"`
	Passenger gangway.Traveller `json:"passenger"`        // as completed by the booker
	Agency    string            `json:"agency,omitempty"` // who sold it, where it was bought elsewhere
	// bookings of the traveller around the same days that the booker was told of: this is another journey
	Others []string `json:"others,omitempty"`
	// the airline that may cancel one of this booking and the one whose place it takes, which the booker was told of
	OneADay string `json:"one_a_day,omitempty"`
	// the booking whose place it takes, which is no second journey; set by Move
	Replaces *gangway.Replacing `json:"-"`
	Moves    bool               `json:"-"` // it is one of many moves, for which there may be a limit in advance
	// the booking whose seats are held again; it says for whom and what for, in place of the search
	Again string `json:"again,omitempty"`
	// a destination on another continent than what is planned, which the booker confirmed
	Far gangway.Place `json:"-"`
	// what the fare lacks of what crew need, which the booker was told; never of one of many
	Unmet gangway.FareRule `json:"-"`
	// why it waits for an approver although the account's policy asks none; only in the sandbox
	Approval string `json:"-"`
}

// Book holds seats for a member of a search and creates the booking, which waits for an approver if
// the account's policy requires one.
//
// Conflict: the price has changed (the message names both), the offer is gone, or the traveller is
// booked already. TwiceError: the traveller is booked around the same days, and the booker was not
// told so. FarError: the destination is on another continent than what is planned, and the booker did
// not confirm it. FareError: crew may not use the fare, and the booker did not confirm it.
// Unavailable: the airline has not answered yet; the booking appears under its identifier once it
// has.
func (d *Desk) Book(ctx context.Context, in store.Scoped, by gangway.User, ask BookAsk) (gangway.Booking, error) {
	if ask.ID == "" || ask.Offer == "" {
		return gangway.Booking{}, gangway.Errorf(gangway.Invalid, "choose a flight to book")
	}
	if b, err := in.Booking(ctx, ask.ID); gangway.KindOf(err) != gangway.NotFound {
		return b, err
	}
	supplier, intent, draft, err := d.beginBooking(ctx, in, by, ask)
	if err != nil {
		return d.repeated(ctx, in, ask.ID, err)
	}
	order, err := d.ask(ctx, in, intent.ID, func(ctx context.Context) (flight.Order, error) {
		return supplier.Hold(ctx, flight.HoldAsk{
			Reference: ask.ID, Offer: ask.Offer, Price: ask.Price, Passenger: onTicket(draft.Passenger),
			Contact: by.Email,
			Vessel:  draft.Purpose.Vessel, Flag: draft.Purpose.Flag,
		})
	})
	return d.held(ctx, in, intent, draft, order, err)
}

// beginBooking writes the intent to book what was asked for, if nothing forbids it.
func (d *Desk) beginBooking(ctx context.Context, in store.Scoped, by gangway.User,
	ask BookAsk) (supplier flight.Supplier, intent store.Intent, draft gangway.Booking, err error) {
	draft, legs, err := d.draft(ctx, in, by, ask)
	if err != nil {
		return supplier, intent, draft, err
	}
	supplier, err = d.suppliers(ctx, in, ask.Supplier)
	if err != nil {
		return supplier, intent, draft, err
	}
	if err := fitToFly(draft.Passenger, supplier.LongestName(), gangway.TodayAt(d.now(in))); err != nil {
		return supplier, intent, draft, err
	}
	if err := settled(ctx, in, draft.Purpose.Change, ask); err != nil {
		return supplier, intent, draft, err
	}
	if err := d.settledFar(ctx, in, draft, legs, ask); err != nil {
		return supplier, intent, draft, err
	}
	offer, err := d.sellable(ctx, in, supplier, ask.Offer)
	if err != nil {
		return supplier, intent, draft, err
	}
	if offer.Price.Total != ask.Price {
		return supplier, intent, draft, gangway.Errorf(gangway.Conflict,
			"the price is now %s, it was %s: look at it again before you book", offer.Price.Total, ask.Price)
	}
	account, err := in.Account(ctx)
	if err != nil {
		return supplier, intent, draft, err
	}
	against, err := ask.fareMeant(account.Settings, offer)
	if err != nil {
		return supplier, intent, draft, err
	}
	if err := unseenBookings(ctx, in, draft.Passenger, legsOf(offer.Itinerary), ask); err != nil {
		return supplier, intent, draft, err
	}
	if err := d.toldOneADay(ctx, in, ask, offer.Itinerary); err != nil {
		return supplier, intent, draft, err
	}
	why, err := d.whyApproval(ctx, in, offer.Price.Total)
	if err != nil {
		return supplier, intent, draft, err
	}
	var spend *store.Spend
	if why != "" && ask.Moves {
		spend = d.spendOf(account.Settings.Moves, by, draft.Purpose.Change, ask.replaces(), offer.Price.Total,
			d.now(in))
	}
	draft.Itinerary = offer.Itinerary
	if ask.Moves {
		if err := serves(ctx, in, draft, offer.Itinerary); err != nil {
			return supplier, intent, draft, err
		}
	}
	if ask.Again == "" {
		draft.Purpose.Between = placesBetween(legs, offer.Itinerary)
	}
	switch sandbox := account.AdmitsSandbox() == nil; {
	case sandbox && gangway.MagicOf(draft.Passenger.LastName) == gangway.MagicDeclined:
		why = magicApproval
	case sandbox && ask.Approval != "":
		why = ask.Approval
	}
	draft.Supplier = supplier.Name()
	// in development nothing is real, whoever entered it
	draft.Simulated = supplier.Simulated() || account.Environment == gangway.Development
	draft.PaymentMethod = cmp.Or(account.Settings.PaymentMethod, gangway.ByInvoice)
	draft.AutoIssue = ask.AutoIssue && supplier.Name() != flight.Elsewhere
	if draft.Replaces = ask.Replaces; draft.PaysFirst() {
		draft.AutoIssue = true
	}
	if spend != nil && why != magicApproval && why != ask.Approval {
		intent, err = d.beginHold(ctx, in, by, draft, ask, cmp.Or(against, withinLimit(spend.Limit)), spend)
		if !errors.Is(err, store.ErrOverLimit) {
			return supplier, intent, draft, err
		}
	}
	if draft.Replaces.Open() && why != "" && why != magicApproval {
		why = "it replaces " + draft.Replaces.Locator +
			map[bool]string{true: ", issued at once"}[draft.PaysFirst()] + "; " + why
	}
	if why != "" && ask.Supplier != flight.Elsewhere {
		draft.Approval = &gangway.Approval{Why: why, Cheapest: ask.Cheapest}
	}
	intent, err = d.beginHold(ctx, in, by, draft, ask, against, nil)
	return supplier, intent, draft, err
}

// beginHold writes the intent to hold the seats of a draft. why is for the history.
func (d *Desk) beginHold(ctx context.Context, in store.Scoped, by gangway.User, draft gangway.Booking, ask BookAsk,
	why string, spend *store.Spend) (store.Intent, error) {
	intent, err := d.newIntent(toBook, ask.ID, ask.ID, draft.Supplier, by.Email, intentDetails{Booking: &draft,
		Why: why})
	if intent.Spend = spend; err != nil {
		return intent, err
	}
	return intent, in.BeginBooking(ctx, intent, holdOf(draft, ask))
}

// draft returns the booking as far as it is known before the supplier answers, and the legs that
// were searched.
func (d *Desk) draft(ctx context.Context, in store.Scoped, by gangway.User,
	ask BookAsk) (gangway.Booking, []gangway.Leg, error) {
	draft := gangway.Booking{ID: ask.ID, Agency: ask.Agency, CreatedAt: d.now(in), CreatedBy: by.Email,
		CreatedByID: by.ID, CreatedByName: by.Name}
	if ask.Again != "" {
		was, err := in.Booking(ctx, ask.Again)
		draft.Passenger, draft.Purpose = was.Passenger, was.Purpose
		return draft, nil, err
	}
	search, err := in.Search(ctx, ask.Search)
	if err != nil {
		return gangway.Booking{}, nil, err
	}
	if ask.Member < 0 || ask.Member >= len(search.Members) {
		return gangway.Booking{}, nil, gangway.Errorf(gangway.NotFound, "this search has no such traveller")
	}
	m := search.Members[ask.Member]
	passenger := ask.Passenger
	if passenger.LastName == "" {
		passenger = m.Traveller
	}
	passenger = passenger.KeepUnasked(m.Traveller)
	p := gangway.Purpose{
		Search: search.ID, Member: ask.Member, Change: search.Change, Side: m.Side, Vessel: search.Vessel,
		Flag:      search.Flag,
		RequestID: m.RequestID, SubRequestID: m.SubRequestID, TravelRequestID: search.ChangeID,
		FlightIDs: flightIDs(m), Metadata: m.Metadata, CustomFields: m.CustomFields, Port: portOf(m),
	}
	if m.Side != "" {
		p.Airport, p.Date = crewChangeAirport(search.Airport, m), search.Date
	}
	draft.Passenger, draft.Purpose = passenger, p
	return draft, m.Legs, nil
}

// crewChangeAirport returns the airport that the customer is sent: the one named, by the code it
// was named with, or the best one for a city or a port.
func crewChangeAirport(place gangway.Place, m gangway.SearchMember) gangway.Airport {
	if len(m.Legs) > 0 && m.Side == gangway.OnSigner {
		place = m.Legs[len(m.Legs)-1].Destination
	} else if len(m.Legs) > 0 {
		place = m.Legs[0].Origin
	}
	if _, moved := world.CurrentCode(string(place)); moved {
		return gangway.Airport(place)
	}
	if ends, err := flight.Ends(place); err == nil && len(ends) > 0 {
		return ends[0].Airport
	}
	return ""
}

// fitToFly checks that everything that airlines require of a passenger is known, and that the name
// can be printed on a ticket with at most longest letters.
func fitToFly(p gangway.Traveller, longest int, today gangway.Today) error {
	var missing []string
	for _, f := range []struct{ name, value string }{
		{"last name", p.LastName}, {"first name", p.FirstName}, {"date of birth", string(p.DOB)}, {"gender", p.Gender},
	} {
		if strings.TrimSpace(f.value) == "" {
			missing = append(missing, f.name)
		}
	}
	if len(missing) > 0 {
		return gangway.Errorf(gangway.Invalid, "the passenger's %s is needed to book", strings.Join(missing, ", "))
	}
	if words := today.Birth(p.DOB); words != "" {
		return gangway.Errorf(gangway.Invalid, "the passenger's date of birth %s", words)
	}
	for _, name := range p.TicketProblems(longest) {
		return gangway.Errorf(gangway.Invalid, "%s, %s: %s", p.LastName, p.FirstName, name.Words())
	}
	return nil
}

// onTicket returns p as it is sent to suppliers: with the names as they are printed on tickets.
func onTicket(p gangway.Traveller) gangway.Traveller {
	name := p.TicketName()
	p.LastName, p.FirstName = name.Last, name.First
	return p
}

// LongestName is how many letters names on tickets may have at the supplier that an account books
// with; 0 if there is no limit, or if the supplier cannot be used now.
func (d *Desk) LongestName(ctx context.Context, in store.Scoped) int {
	supplier, err := d.suppliers(ctx, in, "")
	if err != nil {
		return 0
	}
	return supplier.LongestName()
}

// flightIDs returns the customer's own identifiers of the legs flown.
func flightIDs(m gangway.SearchMember) map[string]string {
	ids := map[string]string{}
	for _, leg := range m.Legs {
		key := string(leg.Origin) + "-" + string(leg.Destination) + "_flight_id"
		if id := m.Wishes[key]; id != "" {
			ids[key] = id
		}
	}
	return ids
}

// whyApproval returns in words why a booking at price waits for an approver; empty if it does not.
func (d *Desk) whyApproval(ctx context.Context, in store.Scoped, price gangway.Money) (string, error) {
	account, err := in.Account(ctx)
	if err != nil {
		return "", err
	}
	policy := account.Settings.Approval
	switch {
	case !policy.Asks(price):
		return "", nil
	case policy.Awaits():
		return fmt.Sprintf("the approval limit is still in %s, so every booking needs approval",
			policy.Above.Currency), nil
	case policy.Mode == gangway.ApproveAbove:
		return fmt.Sprintf("%s is above the limit of %s", price.Words(), policy.Above.Words()), nil
	}
	return "every booking needs approval", nil
}

// held turns the supplier's answer to a hold into a booking.
func (d *Desk) held(ctx context.Context, in store.Scoped, intent store.Intent, draft gangway.Booking,
	order flight.Order, err error) (gangway.Booking, error) {
	if err := d.certain(ctx, in, intent, order, err); err != nil {
		return gangway.Booking{}, err
	}
	switch order.Status {
	case flight.Refused, flight.Withdrawn, flight.Lapsed:
		return gangway.Booking{}, d.giveUp(ctx, in, intent, gangway.Errorf(gangway.Conflict,
			"the airline could not book it: %s", cmp.Or(order.Reason, "nothing is held there any more")))
	}
	ctx = context.WithoutCancel(ctx)
	b := draft
	action, err := d.book(&b, intent.By, order, d.now(in))
	if err != nil {
		return gangway.Booking{}, err
	}
	var e intentDetails
	if err := cmp.Or(json.Unmarshal(intent.Doc, &e), d.endLinks(ctx, in, b.Purpose.Change)); err != nil {
		return gangway.Booking{}, err
	}
	action.Note = e.Why
	for {
		b.Locator = newLocator()
		made, err := in.CreateBooking(ctx, intent.ID, b, action)
		switch {
		case errors.Is(err, store.ErrLocatorTaken):
			continue
		case gangway.KindOf(err) == gangway.Conflict:
			// Whoever followed this up found no order and gave it up; the seats are not wanted.
			d.release(ctx, in, draft.Supplier, order.ID)
		case err == nil && order.Status == flight.Ticketed:
			made = d.andThen(ctx, in, made, order)
		case err == nil && made.Approval != nil && made.Approval.Why == magicApproval:
			return d.Decline(ctx, in, gangway.User{Email: gangway.System, Role: gangway.Admin}, made.ID,
				"the approval of "+string(gangway.MagicDeclined)+" is always refused")
		}
		return made, err
	}
}

// magicApproval is why bookings of a magic traveller wait for an approver, who refuses at once.
const magicApproval = "every booking of " + string(gangway.MagicDeclined) + " needs approval"

// book makes a booking of a draft whose seats are held as order says, now.
func (d *Desk) book(b *gangway.Booking, by string, order flight.Order, now time.Time) (gangway.Action, error) {
	d.take(b, order, now)
	event := gangway.Book
	if b.Approval != nil {
		event = gangway.AskApproval
	}
	action, err := b.Move(event, by, now)
	if err == nil {
		b.CheckAt = firstLook(*b, now)
	}
	return action, err
}

// take copies an order's details from the supplier into its booking, and records what was paid.
func (d *Desk) take(b *gangway.Booking, order flight.Order, at time.Time) {
	said := []gangway.Itinerary{b.Itinerary}
	if b.Change != nil {
		said = append(said, b.Change.Itinerary)
	}
	agreed := order.PricedItinerary
	agreed.Itinerary, agreed.Price = agreed.Itinerary.Recall(said...), b.Price // which takePrice takes
	b.Order, b.PricedItinerary, b.Plating = order.ID, agreed, order.Plating
	b.Purpose.Between = OnGround(b.Purpose.Between, order.Itinerary)
	d.takePrice(b, order, at)
	b.TicketBy, b.HoldUntil, b.VoidUntil, b.Tickets = order.TicketBy, order.HoldUntil, order.VoidUntil, order.Tickets
	b.PriceUntil, b.PNRs = order.PriceUntil, order.PNRs
}

// takePrice copies the price, and records what was paid. A price in another currency than earlier
// payments needs a person: the two cannot be added.
func (d *Desk) takePrice(b *gangway.Booking, order flight.Order, at time.Time) {
	if !b.SetPrice(order.Price, at) {
		d.raise(b, "The supplier says that this booking costs "+order.Price.Total.Words()+
			" now, and it was paid in another currency: find out what was charged.", at)
	}
}

// release gives back seats that are not wanted and not paid for. A hold that cannot be released
// lapses on its own.
func (d *Desk) release(ctx context.Context, in store.Scoped, name, order string) {
	supplier, err := d.suppliers(ctx, in, name)
	if err == nil {
		var quote flight.CancelQuote
		if quote, err = supplier.QuoteCancel(ctx, order); err == nil {
			_, err = supplier.Cancel(ctx, order, quote.ID)
		}
	}
	if err != nil {
		d.log.WarnContext(ctx, "a hold could not be released; it lapses by itself", "order", order, "error", err)
	}
}
