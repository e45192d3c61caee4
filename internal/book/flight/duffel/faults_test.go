package duffel_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/book/flight/duffel/duffeltest"
	"gangway/internal/gangway"
)

// fail makes the next call go wrong. If Duffel stays silent, the caller waits only for as long as a busy machine takes
// to make the call.
func (b *buyer) fail(t *testing.T, call string, fault duffeltest.Fault) {
	t.Helper()
	b.duffel.Fail(call, fault)
	if fault.Wait {
		b.config.Patience = 2 * time.Second
		b.open(t)
		b.config.Patience = 0
	}
}

// A hold whose answer goes wrong is requested once, and its outcome is not called certain
// before it is.
func TestHoldFaults(t *testing.T) {
	tests := []struct {
		name    string
		fault   duffeltest.Fault
		certain bool // nothing was done, and that is certain
		made    bool // it is there at the next look
		settled bool // it is there after Duffel has settled it
	}{
		{"the request is lost", duffeltest.LostBefore, false, false, false},
		{"the answer is lost", duffeltest.LostAfter, false, true, true},
		{"the answer is too late", duffeltest.Slow, false, true, true},
		{"an error after it was done", duffeltest.Broken, false, true, true},
		{"an error before it was done", duffeltest.BrokenFirst, false, false, false},
		{"a bad gateway after it was done", duffeltest.BadGateway, false, true, true},
		{"a timeout after it was done", duffeltest.TimedOut, false, true, true},
		{"a timeout before it was done", duffeltest.NoTime, false, false, false},
		{"the airline could not explain itself", duffeltest.Refusal(422, "airline_error", "airline_unknown"), false,
			false, false},
		{"accepted, and made later", duffeltest.PendingMade, false, false, true},
		{"accepted, and never made", duffeltest.PendingLost, false, false, false},
		{"Duffel states that nothing was done", duffeltest.NotCreated, true, false, false},
		{"Duffel is unavailable", duffeltest.Unavailable, true, false, false},
		{"too many calls", duffeltest.TooMany, true, false, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newBuyer(t)
			o := b.offer(t, "MNL", "AMS", "Flex")
			b.fail(t, duffeltest.CreateOrder, tt.fault)
			hold := func() (flight.Order, error) { return b.Hold(t.Context(), holdAsk(o, "r1")) }
			find := func() (flight.Order, error) { return b.Find(t.Context(), "r1") }
			if tt.certain {
				refused(t, gangway.Conflict)(hold())
				refused(t, gangway.NotFound)(find())
				refused(t, gangway.Conflict)(hold())
				return
			}
			refused(t, gangway.Unavailable)(hold())
			b.open(t) // another process looks it up
			if tt.made {
				if order := must(find())(t); order.Status != flight.Held || len(order.PNRs) != 1 {
					t.Fatalf("Find = %s; want it held", order.Status)
				}
			} else {
				refused(t, gangway.Unavailable)(find())
				b.wantStatus(t, "duffel-order-r1", flight.Pending)
			}
			if _, err := hold(); tt.made != (err == nil) {
				t.Fatalf("Hold a second time = %v", err)
			}
			b.duffel.Settle()
			b.forward(23 * time.Hour)
			if !tt.settled {
				refused(t, gangway.Unavailable)(find())
			}
			b.forward(2 * time.Hour)
			if !tt.settled {
				refused(t, gangway.NotFound)(find())
			} else if order := must(find())(t); order.Status != flight.Held {
				t.Fatalf("Find after a day = %s; want it held", order.Status)
			}
			b.wantCalls(t, duffeltest.CreateOrder, 1)
		})
	}
}

// An operation is completed although its caller stops waiting.
func TestOperationOutlivesItsCaller(t *testing.T) {
	b := newBuyer(t)
	order := b.held(t, "r1", "Flex")
	ctx, cancel := context.WithCancel(t.Context())
	b.duffel.Before(duffeltest.Pay, cancel)
	if _, err := b.Issue(ctx, order.ID, order.Price.Total); err == nil {
		t.Log("the caller got the answer all the same")
	}
	b.wantStatus(t, order.ID, flight.Ticketed)
}

// A call that was never sent is certain to have done nothing.
func TestUnsentCallDidNothing(t *testing.T) {
	b := newBuyer(t)
	o := b.offer(t, "MNL", "AMS", "Flex")
	b.duffel.Limit(1)
	b.find(t, b.ask("MNL", "AMS", 40))
	b.Search(t.Context(), b.ask("MNL", "AMS", 41), func([]flight.Offer) {}) // is refused, and closes the client
	calls := b.duffel.Calls(duffeltest.GetOffer)
	refused(t, gangway.Unavailable)(b.Hold(t.Context(), holdAsk(o, "r1")))
	b.wantCalls(t, duffeltest.GetOffer, calls)
	refused(t, gangway.NotFound)(b.Find(t.Context(), "r1"))
}

// When Duffel refuses an order, nothing is done, nothing will be, and the error is written for
// a booker.
func TestRefusals(t *testing.T) {
	tests := []struct {
		kind, code string
		status     int
		want       gangway.Kind
	}{
		{"authentication_error", "access_token_not_found", 401, gangway.Denied},
		{"authentication_error", "expired_access_token", 401, gangway.Denied},
		{"authentication_error", "insufficient_permissions", 403, gangway.Denied},
		{"authentication_error", "invalid_authorization_header", 401, gangway.Denied},
		{"authentication_error", "missing_authorization_header", 401, gangway.Denied},
		{"invalid_request_error", "bad_request", 400, gangway.Invalid},
		{"invalid_request_error", "invalid_data_param", 400, gangway.Invalid},
		{"invalid_request_error", "missing_data_param", 400, gangway.Invalid},
		{"invalid_request_error", "missing_version", 400, gangway.Invalid},
		{"invalid_request_error", "not_found", 404, gangway.NotFound},
		{"invalid_request_error", "unsupported_version", 400, gangway.Invalid},
		{"validation_error", "validation_format", 422, gangway.Invalid},
		{"validation_error", "invalid_phone_number", 422, gangway.Invalid},
		{"validation_error", "duplicate_passenger_name", 422, gangway.Conflict},
		{"validation_error", "offer_expired", 422, gangway.Conflict},
		{"validation_error", "price_changed", 422, gangway.Conflict},
		{"validation_error", "payment_amount_does_not_match_order_amount", 422, gangway.Conflict},
		{"validation_error", "payment_currency_does_not_match_order_currency", 422, gangway.Conflict},
		{"validation_error", "order_type_not_eligible_for_payment", 422, gangway.Conflict},
		{"invalid_state_error", "already_paid", 422, gangway.Conflict},
		{"invalid_state_error", "already_cancelled", 422, gangway.Conflict},
		{"invalid_state_error", "past_payment_required_by_date", 422, gangway.Conflict},
		{"invalid_state_error", "schedule_changed", 422, gangway.Conflict},
		{"invalid_state_error", "order_cancellation_stale", 422, gangway.Conflict},
		{"invalid_state_error", "something_new", 422, gangway.Conflict},
		{"airline_error", "offer_no_longer_available", 422, gangway.Conflict},
		{"airline_error", "duplicate_booking", 422, gangway.Conflict},
		{"airline_error", "insufficient_balance", 422, gangway.Conflict},
		{"airline_error", "ancillary_service_not_available", 422, gangway.Conflict},
		{"airline_error", "invalid_loyalty_card", 422, gangway.Invalid},
		{"rate_limit_error", "rate_limit_exceeded", 429, gangway.Conflict},
		{"api_error", "order_not_created", 502, gangway.Conflict},
		{"api_error", "service_unavailable", 503, gangway.Conflict},
	}
	b := newBuyer(t)
	for _, tt := range tests {
		t.Run(tt.code, func(t *testing.T) {
			b.forward(time.Minute) // until Duffel accepts calls again
			o := b.offer(t, "MNL", "AMS", "Flex")
			b.duffel.Fail(duffeltest.CreateOrder, duffeltest.Refusal(tt.status, tt.kind, tt.code))
			_, err := b.Hold(t.Context(), holdAsk(o, tt.code))
			refused(t, tt.want)(nil, err)
			for _, hidden := range []string{tt.code, tt.kind, "because a test", passenger.DocNumber, duffeltest.Token,
				"http"} {
				if strings.Contains(err.Error(), hidden) {
					t.Errorf("the booker reads %q, with %q in it", err, hidden)
				}
			}
			refused(t, gangway.NotFound)(b.Find(t.Context(), tt.code))
			if !strings.Contains(b.log.String(), tt.code) || !strings.Contains(b.log.String(), "request_id=req_") {
				t.Error("the log does not say what Duffel answered, and to which request")
			}
		})
	}
}

// An order that Duffel does not show right now is not taken for gone.
func TestReadFaults(t *testing.T) {
	b := newBuyer(t)
	order := b.held(t, "r1", "Flex")
	for _, fault := range []duffeltest.Fault{duffeltest.BrokenFirst, duffeltest.NoTime, duffeltest.TooMany,
		duffeltest.Refusal(404, "invalid_request_error", "not_found")} {
		b.duffel.Fail(duffeltest.GetOrder, fault)
		refused(t, gangway.Unavailable)(b.Order(t.Context(), order.ID))
		b.forward(time.Minute)
	}
	b.wantStatus(t, order.ID, flight.Held)
}

// An operation is something that is done once at Duffel, whatever becomes of its answer.
type operation struct {
	name, call string
	wait       time.Duration // until Duffel shows what was done
	// begin returns the order to do it to, the change that it makes, if any, and the operation.
	begin func(*testing.T, *buyer) (order flight.Order, change string, do func() error)
}

// issuing is the operation that pays for an order of a brand.
func issuing(brand string) func(*testing.T, *buyer) (flight.Order, string, func() error) {
	return func(t *testing.T, b *buyer) (flight.Order, string, func() error) {
		order := b.held(t, "r1", brand)
		return order, "", func() error {
			_, err := b.Issue(t.Context(), order.ID, order.Price.Total)
			return err
		}
	}
}

var (
	paying = operation{"pay", duffeltest.Pay, 16 * time.Minute, issuing("Flex")}
	// buying makes an order that has to be paid at once.
	buying     = operation{"buy", duffeltest.CreateOrder, 25 * time.Hour, issuing("Basic")}
	cancelling = operation{"cancel", duffeltest.ConfirmCancellation, 16 * time.Minute,
		func(t *testing.T, b *buyer) (flight.Order, string, func() error) {
			order := b.ticketed(t, "r1", "Flex")
			quote := must(b.QuoteCancel(t.Context(), order.ID))(t)
			return order, "", func() error {
				_, err := b.Cancel(t.Context(), order.ID, quote.ID)
				return err
			}
		}}
	changing = operation{"change", duffeltest.ConfirmChange, 16 * time.Minute,
		func(t *testing.T, b *buyer) (flight.Order, string, func() error) {
			order := b.ticketed(t, "r1", "Flex")
			offer := b.changes(t, order, b.ask("MNL", "AMS", 33).Legs)[0].ID
			return order, offer, func() error {
				_, err := b.Change(t.Context(), order.ID, offer)
				return err
			}
		}}
	accepting = operation{"accept", duffeltest.AcceptNotice, 16 * time.Minute,
		func(t *testing.T, b *buyer) (flight.Order, string, func() error) {
			order := b.ticketed(t, "r1", "Flex")
			b.disrupt(t, order.ID, 3*time.Hour)
			notice := b.wantStatus(t, order.ID, flight.Ticketed).Notice.ID
			return order, notice, func() error {
				_, err := b.Accept(t.Context(), order.ID, notice)
				return err
			}
		}}
)

// changes returns what an order can be changed to.
func (b *buyer) changes(t *testing.T, order flight.Order, legs []flight.Leg) []flight.ChangeOffer {
	t.Helper()
	offers := must(b.FindChanges(t.Context(), order.ID, legs))(t)
	if len(offers) == 0 {
		t.Fatal("nothing to change to")
	}
	return offers
}

// An operation whose answer goes wrong is done once, and its outcome is found out.
func TestOperationFaults(t *testing.T) {
	const pending, held, ticketed, lapsed, withdrawn = flight.Pending, flight.Held, flight.Ticketed, flight.Lapsed,
		flight.Withdrawn
	tests := []struct {
		of          operation
		name        string
		fault       duffeltest.Fault
		soon, later flight.Status // at the next look, and once Duffel shows what was done
		changed     bool
	}{
		{paying, "the request is lost", duffeltest.LostBefore, pending, held, false},
		{paying, "the answer is lost", duffeltest.LostAfter, ticketed, ticketed, false},
		{paying, "the answer is too late", duffeltest.Slow, ticketed, ticketed, false},
		{paying, "an error after it was done", duffeltest.Broken, ticketed, ticketed, false},
		{paying, "an error, and the outcome stays unknown", duffeltest.BrokenFirst, pending, pending, false},
		{paying, "a timeout after it was done", duffeltest.TimedOut, ticketed, ticketed, false},
		{paying, "a timeout before it was done", duffeltest.NoTime, pending, held, false},
		{buying, "the answer is lost", duffeltest.LostAfter, ticketed, ticketed, false},
		{buying, "an error after it was done", duffeltest.Broken, ticketed, ticketed, false},
		{buying, "the request is lost", duffeltest.LostBefore, pending, lapsed, false},
		{buying, "accepted, and made later", duffeltest.PendingMade, pending, ticketed, false},
		{buying, "accepted, and never made", duffeltest.PendingLost, pending, lapsed, false},
		{cancelling, "the request is lost", duffeltest.LostBefore, pending, ticketed, false},
		{cancelling, "the answer is lost", duffeltest.LostAfter, withdrawn, withdrawn, false},
		{cancelling, "the answer is too late", duffeltest.Slow, withdrawn, withdrawn, false},
		{cancelling, "an error after it was done", duffeltest.Broken, withdrawn, withdrawn, false},
		{cancelling, "a timeout before it was done", duffeltest.NoTime, pending, ticketed, false},
		{changing, "the request is lost", duffeltest.LostBefore, pending, ticketed, false},
		{changing, "the answer is lost", duffeltest.LostAfter, ticketed, ticketed, true},
		{changing, "an error after it was done", duffeltest.Broken, ticketed, ticketed, true},
		{accepting, "the request is lost", duffeltest.LostBefore, pending, ticketed, false},
		{accepting, "the answer is lost", duffeltest.LostAfter, ticketed, ticketed, true},
		{accepting, "an error after it was done", duffeltest.Broken, ticketed, ticketed, true},
	}
	for _, tt := range tests {
		t.Run(tt.of.name+"/"+tt.name, func(t *testing.T) {
			b := newBuyer(t)
			order, change, do := tt.of.begin(t, b)
			before := b.duffel.Calls(tt.of.call)
			b.fail(t, tt.of.call, tt.fault)
			refused(t, gangway.Unavailable)(nil, do())
			b.open(t) // another process finds out
			b.wantStatus(t, order.ID, tt.soon)
			if tt.soon == pending {
				refused(t, gangway.Unavailable)(nil, do())
			}
			b.duffel.Settle()
			b.forward(tt.of.wait)
			now := b.wantStatus(t, order.ID, tt.later)
			if slices.Contains(now.Changes, change) != tt.changed {
				t.Errorf("changes %q; changed: %t", now.Changes, tt.changed)
			}
			if n := b.duffel.Calls(tt.of.call) - before; n > 1 || n == 0 && tt.fault != duffeltest.LostBefore {
				t.Errorf("Duffel was asked %d times; want once", n)
			}
			switch tt.later {
			case held: // nothing was paid: it can be paid now
				done(t, do())
			case pending:
				b.forward(order.HoldUntil.Sub(b.time()))
				b.wantStatus(t, order.ID, lapsed)
			}
		})
	}
}

// An operation that Duffel refuses leaves the order as it was.
func TestOperationsRefused(t *testing.T) {
	tests := []struct {
		of    operation
		call  string
		fault duffeltest.Fault
	}{
		{cancelling, cancelling.call, duffeltest.Refusal(422, "invalid_state_error", "order_cancellation_stale")},
		{changing, changing.call, duffeltest.Refusal(422, "airline_error", "offer_no_longer_available")},
		{changing, duffeltest.CreateChange, duffeltest.LostAfter}, // which only prepares it
	}
	for _, code := range []string{"already_paid", "past_payment_required_by_date", "schedule_changed", "price_changed",
		"insufficient_balance", "payment_amount_does_not_match_order_amount"} {
		tests = append(tests, struct {
			of    operation
			call  string
			fault duffeltest.Fault
		}{paying, paying.call, duffeltest.Refusal(422, "validation_error", code)})
	}
	for _, tt := range tests {
		t.Run(tt.of.name+"/"+tt.fault.Code, func(t *testing.T) {
			b := newBuyer(t)
			order, _, do := tt.of.begin(t, b)
			b.duffel.Fail(tt.call, tt.fault)
			refused(t, gangway.Conflict)(nil, do())
			if now := b.wantStatus(t, order.ID, order.Status); len(now.Changes) > 0 {
				t.Errorf("changes %q", now.Changes)
			}
		})
	}
}
