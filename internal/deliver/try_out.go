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
	Headers []Header           // of a push
	LeftOut bool               // the mapping leaves it out: nothing was sent
	Attempt store.Attempt

	SwitchedOn bool // it was accepted by a copy that was off until then
}

// TryOut sends an invented booking to an outlet, once, as its bookings are sent, and keeps nothing of it. It is of
// the given state. A copy from another environment that accepts it is switched on. Invalid: nothing could be made of
// it.
func (s Setter) TryOut(ctx context.Context, in store.Scoped, by gangway.Actor, name string,
	state gangway.State) (t Trial, err error) {
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
	t.Headers = ShownHeaders(next)
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
	if t.Attempt.Accepted() && o.Untested() {
		t.SwitchedOn = true
		return t, in.OutletTested(ctx, by, name, s.Now())
	}
	return t, nil
}

// A Shape is what an outlet would send of a booking.
type Shape struct {
	Booking gangway.Booking
	Record  []byte // what the mapping is given
	Sent    []byte
	LeftOut bool  // by the mapping
	Err     error // why nothing can be made of it
}

// mostShapes is how many bookings a mapping is tried on.
const mostShapes = 3

// Shapes tries what an outlet would send of the account's latest bookings that it gets, or of an invented one where
// there is none. Nothing is sent. Invalid: the mapping is no program.
func (s Setter) Shapes(ctx context.Context, in store.Scoped, o gangway.Outlet) (list []Shape, err error) {
	r := &reshapings{workers: mapping.NewWorkers()}
	if _, err := r.of(o.Mapping); o.Mapping != "" && err != nil {
		return nil, err
	}
	// More are read, since an outlet may get few states.
	bookings, _, err := in.Bookings(ctx, store.BookingQuery{Limit: 20 * mostShapes})
	if err != nil {
		return nil, err
	}
	var tries []store.Delivery
	for _, b := range bookings {
		if o.Wants(b.State) && len(tries) < mostShapes {
			history, err := in.History(ctx, b.ID)
			if err != nil {
				return nil, err
			}
			tries = append(tries, store.Delivery{Seq: len(history), Outlet: o, Booking: b,
				Action: history[len(history)-1]})
		}
	}
	if tries == nil {
		tries = []store.Delivery{invented(o, append(o.States, gangway.Confirmed)[0], s.Now())}
	}
	for _, d := range tries {
		shape := Shape{Booking: d.Booking}
		if shape.Record, err = Record(d); err != nil {
			return nil, err
		}
		if o.Mapping != "" {
			d.Body, shape.Err = r.shaped(ctx, "", d)
		}
		if shape.LeftOut = errors.Is(shape.Err, mapping.ErrLeftOut); shape.LeftOut {
			shape.Err = nil
		} else if shape.Err == nil {
			shape.Sent, shape.Err = Body(ctx, d)
		}
		list = append(list, shape)
	}
	return list, nil
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
