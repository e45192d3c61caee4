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

// A consignment is what leaves as one document: a delivery, or several together.
type consignment interface {
	to() gangway.Outlet
	deliveries() []*store.Delivery
	// document is the same on every try, but for the time at which it is signed.
	document(ctx context.Context, at time.Time) (transport.Outgoing, error)
	delivered(ctx context.Context, d *Deliverer, l store.DeliveryQueue, a store.Attempt,
		until time.Time) (more bool, err error)
	failed(ctx context.Context, in store.Scoped, l store.DeliveryQueue, a store.Attempt,
		b store.DeliveryFailure) (off bool, err error)
}

// next returns what is to be delivered next of a queue. NotFound: as for store.NextDelivery.
func next(ctx context.Context, in store.Scoped, l store.DeliveryQueue) (consignment, error) {
	if l.Together() {
		b, err := in.NextBatch(ctx, l)
		return &together{b}, err
	}
	d, err := in.NextDelivery(ctx, l)
	return &single{d}, err
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

// A single consignment is one delivery.
type single struct{ store.Delivery }

func (c *single) to() gangway.Outlet { return c.Outlet }

func (c *single) deliveries() []*store.Delivery { return []*store.Delivery{&c.Delivery} }

func (c *single) document(ctx context.Context, at time.Time) (d transport.Outgoing, err error) {
	as := c.Outlet.Format
	d = transport.Outgoing{ID: c.ID, Type: format.Media(as),
		Name: fmt.Sprintf("%s-%d-%s.%s", c.Booking.ID, c.Seq, c.ID, format.Ending(as))}
	if d.Body, err = Body(ctx, c.Delivery); err != nil {
		return d, err
	}
	d.Header, err = Headers(c.ID, c.Outlet.Secrets, at, d.Body)
	return d, err
}

func (c *single) delivered(_ context.Context, d *Deliverer, l store.DeliveryQueue, a store.Attempt,
	until time.Time) (more bool, err error) {
	return d.delivered(store.Outcome{Queue: l, Delivery: c.Delivery, Attempt: a, Until: until})
}

func (c *single) failed(ctx context.Context, in store.Scoped, l store.DeliveryQueue, a store.Attempt,
	b store.DeliveryFailure) (off bool, err error) {
	return in.Failed(ctx, l, c.Delivery, a, b)
}

// Several deliveries go together as one file, called after the first and the last of them.
type together struct{ store.DeliveryBatch }

func (c *together) to() gangway.Outlet { return c.Outlet }

func (c *together) deliveries() (list []*store.Delivery) {
	for i := range c.Deliveries {
		list = append(list, &c.Deliveries[i])
	}
	return list
}

func (c *together) document(ctx context.Context, _ time.Time) (d transport.Outgoing, err error) {
	as, first, last := c.Outlet.Format, c.Deliveries[0].ID, c.Deliveries[len(c.Deliveries)-1].ID
	d = transport.Outgoing{ID: first, Type: format.Media(as),
		Name: fmt.Sprintf("%s-%s.%s", first, last, format.Ending(as))}
	records := make([][]byte, len(c.Deliveries))
	for i, delivery := range c.Deliveries {
		if records[i], err = Record(delivery); err != nil {
			return d, err
		}
	}
	d.Body, err = format.Several(ctx, as, records)
	return d, err
}

func (c *together) delivered(ctx context.Context, d *Deliverer, l store.DeliveryQueue, a store.Attempt,
	until time.Time) (more bool, err error) {
	return d.db.In(l.Scope).BatchDelivered(ctx, l, c.DeliveryBatch, a, until)
}

func (c *together) failed(ctx context.Context, in store.Scoped, l store.DeliveryQueue, a store.Attempt,
	b store.DeliveryFailure) (off bool, err error) {
	return in.BatchFailed(ctx, l, c.DeliveryBatch, a, b)
}
