package deliver

import (
	"context"
	"fmt"
	"time"

	"gangway/internal/deliver/format"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/transport"
	"gangway/internal/wire"
)

// A consignment is the deliveries to one outlet that leave as one document: a batch, or one alone.
type consignment []store.Delivery

func (c consignment) to() gangway.Outlet { return c[0].Outlet }

// document returns the document of a consignment. It is the same on every try, but for the time at which it is signed.
func (c consignment) document(ctx context.Context, together bool, at time.Time) (d transport.Outgoing, err error) {
	as, first, last := c.to().Format, c[0], c[len(c)-1]
	d = transport.Outgoing{ID: first.ID, Type: format.Media(as)}
	if together {
		d.Name = fmt.Sprintf("%s-%s.%s", first.ID, last.ID, format.Ending(as))
		records := make([][]byte, len(c))
		for i, delivery := range c {
			if records[i], err = Record(delivery); err != nil {
				return d, err
			}
		}
		d.Body, err = format.Several(ctx, as, records)
		return d, err
	}
	d.Name = fmt.Sprintf("%s-%d-%s.%s", first.Booking.ID, first.Seq, first.ID, format.Ending(as))
	if d.Body, err = Body(ctx, first); err != nil {
		return d, err
	}
	d.Header, err = Headers(first.ID, c.to().Secrets, at, d.Body)
	return d, err
}

// results returns what became of all deliveries of a consignment after a try.
func (c consignment) results(state string, a *store.Attempt) []store.Result {
	list := make([]store.Result, len(c))
	for i, d := range c {
		list[i] = store.Result{Delivery: d, State: state, Attempt: a}
	}
	return list
}

// Record returns what a delivery tells the customer, as JSON: what the outlet's mapping has made, or else the record
// that it is given.
func Record(d store.Delivery) ([]byte, error) {
	if d.Body != nil {
		return d.Body, nil
	}
	return wire.Booking(d.Booking, []gangway.Action{d.Action})
}

// Body returns what is sent of a delivery, the same bytes on every try. Of one that goes together with others it is
// what is sent of it alone.
func Body(ctx context.Context, d store.Delivery) ([]byte, error) {
	body, err := Record(d)
	if err != nil {
		return nil, err
	}
	return format.One(ctx, d.Outlet.Format, body)
}
