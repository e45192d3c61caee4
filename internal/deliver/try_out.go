package deliver

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"strings"
	"time"

	"gangway/internal/accept/mapping"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/transport"
)

// A Trial is what became of an invented booking that was sent to an outlet.
type Trial struct {
	Sent    transport.Outgoing // its body is what the outlet's mapping and format made
	LeftOut bool               // the mapping leaves it out: nothing was sent
	Attempt store.Attempt
}

// TryOut sends an invented booking to an outlet, once, as its bookings are sent, and keeps nothing of it. It is of
// the given state. Invalid: nothing could be made of it.
func (s Setter) TryOut(ctx context.Context, in store.Scoped, name string, state gangway.State) (t Trial, err error) {
	o, err := in.OutletToChange(ctx, name)
	if err == nil {
		err = o.Unopened
	}
	if err != nil {
		return t, err
	}
	if o.Secrets, err = in.OutletSecrets(ctx, o.ID); err != nil {
		return t, err
	}
	to, err := newSender(s.Kinds, s.Options, o.Outlet)
	if err != nil {
		return t, err
	}
	if c, ok := to.(io.Closer); ok {
		defer c.Close()
	}
	began := s.Now()
	next := invented(o.Outlet, state, began)
	if o.Mapping != "" {
		next.Body, err = shapeOnce(ctx, next)
		switch {
		case errors.Is(err, mapping.ErrLeftOut):
			t.LeftOut = true
			return t, nil
		case err != nil:
			return t, gangway.Errorf(gangway.Invalid, "the mapping fails on an invented booking: %v", err)
		}
	}
	t.Sent, err = consignment{next}.document(ctx, false, began)
	if errors.Is(err, errSecret) {
		return t, gangway.Errorf(gangway.Invalid, "%v", errNoSignature)
	} else if err != nil {
		return t, err
	}
	answer, err := to.Send(ctx, t.Sent)
	t.Attempt = store.Attempt{At: began, Took: s.Now().Sub(began), Status: answer.Status, Answer: string(answer.Body)}
	if err != nil {
		t.Attempt.Answer = err.Error()
	}
	return t, nil
}

// invented is the delivery of an invented booking of a state to an outlet.
func invented(o gangway.Outlet, state gangway.State, at time.Time) store.Delivery {
	d := store.Delivery{ID: "check_" + strings.ToLower(rand.Text()), Seq: 1, Outlet: o}
	booking, actions := Invented(d.ID, at)
	booking.State, actions[0].Name = state, state
	d.Booking, d.Action = booking, actions[0]
	return d
}

// shapeOnce returns what an outlet's mapping makes of a delivery.
func shapeOnce(ctx context.Context, d store.Delivery) ([]byte, error) {
	return (&reshapings{workers: mapping.NewWorkers()}).shaped(ctx, "", d)
}

// mappingFails returns why an outlet's mapping makes nothing of an invented booking, of the first state that the outlet
// gets.
func mappingFails(ctx context.Context, o gangway.Outlet, at time.Time) error {
	state := gangway.Confirmed
	if len(o.States) > 0 {
		state = o.States[0]
	}
	_, err := shapeOnce(ctx, invented(o, state, at))
	if errors.Is(err, mapping.ErrLeftOut) {
		return nil
	}
	return err
}

// Invented is a booking that nobody made, to try out where bookings go, and its only action.
func Invented(id string, at time.Time) (gangway.Booking, []gangway.Action) {
	leaves := at.AddDate(0, 1, 0).Truncate(time.Hour)
	total := gangway.Money{Minor: 61250, Currency: "USD"}
	b := gangway.Booking{
		ID: id, Locator: "CHECK2", State: gangway.Confirmed, Version: 1, Simulated: true,
		Passenger: gangway.Traveller{LastName: "Check", FirstName: "Gangway"},
		CreatedAt: at, CreatedBy: gangway.System, CreatedByName: "Gangway check",
	}
	b.Itinerary.Segments = []gangway.Segment{{Carrier: "XX", FlightNumber: "XX 1", Origin: "MNL", Destination: "SIN",
		Departure: leaves, Arrival: leaves.Add(4 * time.Hour), Cabin: gangway.Economy}}
	b.Terms = gangway.Terms{FareType: gangway.Public, Cancellations: gangway.Refundable, Changes: gangway.PaidChange}
	b.Price = gangway.PriceOf(total, gangway.Money{Currency: "USD"}, gangway.Money{})
	return b, []gangway.Action{{Seq: 1, Name: gangway.Confirmed, At: at, By: gangway.System}}
}
