package samplebookings

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"gangway/internal/book"
	"gangway/internal/book/flight"
	"gangway/internal/book/flight/sim"
	"gangway/internal/gangway"
	"gangway/internal/invented"
	"gangway/internal/store"
)

// A life is what happens to one booking, from one moment to the next, until it is over or the plan ends.
type life struct {
	*Maker
	party
	journey
	supplier flight.Supplier
	story    story
	b        gangway.Booking
	made     store.SampleBooking
}

// system is the automated user.
var system = gangway.User{Email: gangway.System}

// errOver says that the plan ends before the next moment.
var errOver = errors.New("the plan ends")

// live lets the booking with a number live.
func (l *life) live(ctx context.Context, n int, offers []flight.Offer) error {
	if err := l.book(ctx, n, offers); err != nil {
		return err
	}
	for _, chapter := range []func(context.Context) error{l.approve, l.ticket, l.change, l.cancel, l.travel, l.settle} {
		if err := chapter(ctx); errors.Is(err, errOver) {
			break
		} else if err != nil {
			return fmt.Errorf("booking %d: %w", n, err)
		}
	}
	l.b.MarkSample()
	l.made.Booking = l.b
	return nil
}

// at goes to a moment, if it is still to come.
func (l *life) at(t time.Time) error {
	if !t.Before(l.end) {
		return errOver
	}
	if t.After(l.clock) {
		l.clock = t.UTC().Truncate(time.Second)
	}
	return nil
}

// after goes to some moment that is at least and at most so much later, and before until.
func (l *life) after(least, most time.Duration, until time.Time) error {
	if left := until.Sub(l.clock) - time.Minute; most > left {
		least, most = min(least, max(left, 0)/2), max(left, 0)
	}
	return l.at(l.clock.Add(between(l.chance, least, most)))
}

// note keeps what has just happened, and the booking after it.
func (l *life) note(a gangway.Action, err error) error {
	if err != nil || a.Name == gangway.None {
		return err
	}
	then := l.b
	then.MarkSample()
	l.made.Actions = append(l.made.Actions, store.SampleAction{Action: a, ByName: names[a.By], After: then})
	return nil
}

// refused reports whether a supplier has refused something: the life goes on without it.
func refused(err error) bool {
	kind := gangway.KindOf(err)
	return err != nil && (kind == gangway.Conflict || kind == gangway.NotFound || kind == gangway.Invalid)
}

// book holds seats on one of the offers.
func (l *life) book(ctx context.Context, n int, offers []flight.Offer) error {
	who := traveller(l.chance, l.from, l.home, l.clock.Year())
	name := who.TicketName() // airlines take no other
	for range tries {
		o := l.choose(offers)
		if l.chance.IntN(6) == 0 {
			who.FrequentFlyer = gangway.FrequentFlyer{Airline: o.Plating, Number: fmt.Sprint(10_000_000 + n%9_000_000)}
		}
		l.b = l.draft(n, who, o)
		flies := who
		flies.LastName, flies.FirstName = name.Last, name.First
		order, err := l.supplier.Hold(ctx, flight.HoldAsk{Reference: l.b.ID, Offer: o.ID, Price: o.Price.Total,
			Passenger: flies, Vessel: l.vessel.name, Flag: l.vessel.flag})
		if refused(err) {
			continue
		}
		if err != nil {
			return err
		}
		return l.note(l.desk.Book(&l.b, l.booker, order))
	}
	return errNoFlights
}

// brands is how often which fares are taken.
var brands = []weighted[string]{{"Marine", 58}, {"Classic", 20}, {"Flex", 12}, {"Light", 10}}

// choose takes an offer in the brand that is drawn: the first that were found are the best.
func (l *life) choose(offers []flight.Offer) flight.Offer {
	brand := pick(l.chance, brands)
	if l.story.refundable {
		brand = "Marine"
	}
	var some []flight.Offer
	for _, o := range offers {
		if o.Terms.Brand == brand {
			some = append(some, o)
		}
	}
	if len(some) == 0 {
		some = offers
	}
	i := 0
	for i < len(some)-1 && l.chance.IntN(2) == 0 {
		i++
	}
	return some[i]
}

// limits are the prices above which offices have bookings approved.
var limits = map[string]int64{"USD": 150_000, "EUR": 130_000, "GBP": 115_000, "SGD": 200_000, "NOK": 1_500_000}

func (l *life) draft(n int, who gangway.Traveller, o flight.Offer) gangway.Booking {
	leg := l.leg()
	b := gangway.Booking{
		ID: l.id(n), Passenger: who, Supplier: sim.Name, Simulated: true,
		AutoIssue:     l.vessel.auto && l.story.name != "lapses",
		PaymentMethod: cmp.Or(l.plan.Account.Settings.PaymentMethod, gangway.ByInvoice),
		CreatedAt:     l.clock, CreatedBy: l.booker.Email, CreatedByName: l.booker.Name,
	}
	b.Itinerary = o.Itinerary
	route := o.Itinerary.Route()
	b.Purpose = gangway.Purpose{
		Side: l.side, Airport: route[0], Date: l.date, Vessel: l.vessel.name, Flag: l.vessel.flag, Port: l.port,
		Between: book.OnGround([]gangway.Between{{From: leg.Origin, To: leg.Destination}}, o.Itinerary),
		CustomFields: map[string]string{"rank": invented.Pick(l.chance, invented.Ranks),
			"cost_centre": l.vessel.centre},
	}
	if l.side == gangway.OnSigner {
		b.Purpose.Airport = route[len(route)-1]
	}
	policy := gangway.ApprovalPolicy{Mode: gangway.ApproveAbove}
	policy.Above = gangway.Money{Minor: limits[o.Price.Total.Currency], Currency: o.Price.Total.Currency}
	switch {
	case l.vessel.always || l.story.asks:
		b.Approval = &gangway.Approval{Why: "every booking needs approval"}
	case policy.Asks(o.Price.Total):
		b.Approval = &gangway.Approval{Why: fmt.Sprintf("%s is above the limit of %s", o.Price.Total.Words(),
			policy.Above.Words())}
	}
	return b
}

// approve lets an approver decide, or nobody in time.
func (l *life) approve(ctx context.Context) error {
	if l.b.State != gangway.ApprovalRequired || l.story.stops == gangway.ApprovalRequired {
		return nil
	}
	by, decides := approvers[l.chance.IntN(len(approvers))], l.chance.IntN(100)
	if l.story.stops == gangway.Declined {
		decides = 0
	}
	if decides >= 98 && !l.late {
		return l.hear(ctx, l.b.HoldUntil)
	}
	if err := l.after(8*time.Minute, 7*time.Hour, l.b.PriceGood()); err != nil {
		return err
	}
	if decides < 5 && (!l.late || l.story.stops == gangway.Declined) {
		return l.note(l.desk.Decline(&l.b, by, refusals[l.chance.IntN(len(refusals))]))
	}
	return l.note(l.desk.Approve(&l.b, by))
}

// hear has the automated user look at the order at a moment.
func (l *life) hear(ctx context.Context, t time.Time) error {
	if err := l.at(t); err != nil {
		return err
	}
	order, err := l.supplier.Order(ctx, l.b.Order)
	if err != nil {
		return err
	}
	return l.note(l.desk.Hear(&l.b, order))
}

// ticket has the tickets issued, by a booker or automatically, or lets go of the seats.
func (l *life) ticket(ctx context.Context) error {
	if l.b.State != gangway.Confirmed || l.story.stops == gangway.Confirmed {
		return nil
	}
	switch l.story.name {
	case "lapses":
		return l.hear(ctx, l.b.HoldUntil)
	case "releases":
		if err := l.after(10*time.Minute, 20*time.Hour, l.b.Deadline()); err != nil {
			return err
		}
		return l.withdraw(ctx)
	}
	by, err := l.booker, error(nil)
	if at := l.b.IssuesAt(); at.After(l.clock) && !l.late {
		by, err = system, l.at(at)
	} else {
		most := 6 * time.Hour
		if l.late {
			most = 20 * time.Minute
		}
		err = l.after(5*time.Minute, most, l.b.Deadline())
	}
	if err != nil {
		return err
	}
	order, err := l.supplier.Issue(ctx, l.b.Order, l.b.Price.Total)
	if refused(err) { // the price was guaranteed for a while only
		return l.hear(ctx, l.b.HoldUntil)
	}
	if err != nil {
		return err
	}
	return l.note(l.desk.Issue(&l.b, by, order))
}

// change changes flights, if the story says so and the fare allows it.
func (l *life) change(ctx context.Context) error {
	if l.b.State != gangway.Issued || !l.story.changes || l.b.ChangeForbidden() {
		return nil
	}
	err := l.after(3*time.Hour, 40*24*time.Hour, l.b.Itinerary.Departure().Add(-6*time.Hour))
	if l.story.stops == gangway.ChangePending {
		err = l.at(l.end.Add(-10 * time.Minute))
	}
	if err != nil {
		return err
	}
	leg := l.leg()
	days := 1 + l.chance.IntN(4)
	if leg.Date != "" {
		leg.Date = leg.Date.AddDays(days)
	} else {
		leg.ArriveOn = leg.ArriveOn.AddDays(days)
	}
	legs, err := flight.LegsOf([]gangway.Leg{leg})
	if err != nil {
		return err
	}
	offers, err := l.supplier.FindChanges(ctx, l.b.Order, legs)
	if refused(err) || err == nil && len(offers) == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	o := offers[l.chance.IntN(min(3, len(offers)))]
	if err := l.note(l.desk.AskChange(&l.b, l.booker, o)); err != nil || l.story.stops == gangway.ChangePending {
		return cmp.Or(err, errOver)
	}
	if l.story.name == "keeps" {
		if err := l.at(o.Expires); err != nil {
			return err
		}
		return l.note(l.desk.AbandonChange(&l.b, system, "the offer for the change expired"))
	}
	if err := l.after(2*time.Minute, 20*time.Minute, o.Expires); err != nil {
		return err
	}
	order, err := l.supplier.Change(ctx, l.b.Order, o.ID)
	if refused(err) {
		return l.note(l.desk.AbandonChange(&l.b, system, "the airline refused the change: "+err.Error()))
	}
	if err != nil {
		return err
	}
	return l.note(l.desk.CompleteChange(&l.b, l.booker, order))
}

// cancel cancels an issued booking, if the story says so.
func (l *life) cancel(ctx context.Context) error {
	if l.b.State != gangway.Issued || !l.story.cancels {
		return nil
	}
	leaves := l.b.Itinerary.Departure().Add(-2 * time.Hour)
	err := error(nil)
	switch {
	case l.story.name == "voids":
		err = l.after(10*time.Minute, 3*time.Hour, l.b.VoidUntil)
	case l.story.stops == gangway.RefundPending:
		err = l.at(l.end.Add(-between(l.chance, time.Hour, 9*time.Hour)))
	default:
		err = l.after(5*time.Hour, 60*24*time.Hour, leaves)
	}
	if err != nil {
		return err
	}
	return l.withdraw(ctx)
}

// withdraw cancels the booking now.
func (l *life) withdraw(ctx context.Context) error {
	quote, err := l.supplier.QuoteCancel(ctx, l.b.Order)
	if err != nil {
		return err
	}
	order, err := l.supplier.Cancel(ctx, l.b.Order, quote.ID)
	if err != nil {
		return err
	}
	return l.note(l.desk.Cancel(&l.b, l.booker, order))
}

// looks is how long before departure the automated user looks whether the airline has changed flights.
var looks = []time.Duration{3 * 24 * time.Hour, 24 * time.Hour}

// travel is the way to the flights: what the airline changes, and whether the traveller comes.
func (l *life) travel(ctx context.Context) error {
	for _, before := range looks {
		if t := l.b.Itinerary.Departure().Add(-before); l.b.State == gangway.Issued && t.After(l.clock) {
			if err := l.hear(ctx, t); err != nil {
				return err
			}
		}
		if l.b.State == gangway.ChangePending {
			if err := l.answer(ctx); err != nil {
				return err
			}
		}
	}
	if l.b.State != gangway.Issued {
		return nil
	}
	if l.story.name == "misses" {
		leaves := l.b.Itinerary.Departure()
		if err := l.at(leaves.Add(between(l.chance, 2*time.Hour, 30*time.Hour))); err != nil {
			return err
		}
		return l.b.SetNoShow(true, gangway.StampOf(l.booker, l.clock))
	}
	return nil
}

// answer accepts what the airline offers instead of the flights that it has changed, or gives the booking up.
func (l *life) answer(ctx context.Context) error {
	order, err := l.supplier.Order(ctx, l.b.Order)
	if err != nil {
		return err
	}
	by, stays := l.booker, order.Notice != nil && len(order.Notice.Itinerary.Segments) > 0 && l.chance.IntN(4) > 0
	if order.Notice != nil && order.Notice.Minor {
		by, stays = system, true
	} else if err := l.after(20*time.Minute, 9*time.Hour, l.b.Itinerary.Departure()); err != nil {
		return err
	}
	if stays {
		order, err := l.supplier.Accept(ctx, l.b.Order, l.b.Change.Offer)
		if err == nil {
			return l.note(l.desk.CompleteChange(&l.b, by, order))
		}
		if !refused(err) {
			return err
		}
	}
	if err := l.note(l.desk.AbandonChange(&l.b, l.booker, "")); err != nil {
		return err
	}
	if err := l.after(time.Minute, 10*time.Minute, l.b.Itinerary.Departure()); err != nil {
		return err
	}
	return l.withdraw(ctx)
}

// settle is what remains to be done: the refund comes, and finance enters the invoice.
func (l *life) settle(ctx context.Context) error {
	issued := l.clock
	if l.b.State == gangway.RefundPending {
		comes := l.b.Refund.AskedAt.Add(72*time.Hour + between(l.chance, time.Minute, time.Hour))
		if err := l.hear(ctx, comes); err != nil {
			return err
		}
	}
	if len(l.b.Tickets) == 0 || l.chance.IntN(8) == 0 {
		return nil
	}
	month := time.Date(issued.Year(), issued.Month()+1, 2+l.chance.IntN(9), 8, 0, 0, 0, time.UTC)
	if err := l.at(month.Add(between(l.chance, 0, 9*time.Hour))); err != nil {
		return err
	}
	number := fmt.Sprintf("%s-%d", l.clock.Format("INV-2006"), 10_000+l.chance.IntN(90_000))
	return l.b.AddInvoices(number, gangway.StampOf(clerk, l.clock))
}
