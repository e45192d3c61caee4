package duffel_test

import (
	"context"
	"net/http"
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
			_, err := b.Hold(t.Context(), holdAsk(o, "r1"))
			if tt.certain {
				wantKind(t, "Hold", err, gangway.Conflict)
				_, err = b.Find(t.Context(), "r1")
				wantKind(t, "Find", err, gangway.NotFound)
				_, err = b.Hold(t.Context(), holdAsk(o, "r1"))
				wantKind(t, "Hold under the same reference", err, gangway.Conflict)
				return
			}
			wantKind(t, "Hold", err, gangway.Unavailable)
			b.open(t) // another process looks it up
			order, err := b.Find(t.Context(), "r1")
			switch {
			case tt.made:
				if err != nil || order.Status != flight.Held || len(order.PNRs) != 1 {
					t.Fatalf("Find = %s, %v; want it held", order.Status, err)
				}
			default:
				wantKind(t, "Find while it may still come", err, gangway.Unavailable)
				if order, err := b.Order(t.Context(), "duffel-order-r1"); err != nil || order.Status != flight.Pending {
					t.Fatalf("Order while it may still come = %s, %v; want it pending", order.Status, err)
				}
			}
			if _, err := b.Hold(t.Context(), holdAsk(o, "r1")); tt.made != (err == nil) {
				t.Fatalf("Hold a second time = %v", err)
			}
			b.duffel.Settle()
			b.forward(23 * time.Hour)
			if _, err = b.Find(t.Context(), "r1"); !tt.settled {
				wantKind(t, "Find hours later", err, gangway.Unavailable)
			}
			b.forward(2 * time.Hour)
			order, err = b.Find(t.Context(), "r1")
			if tt.settled && (err != nil || order.Status != flight.Held) || !tt.settled && gangway.KindOf(err) !=
				gangway.NotFound {
				t.Fatalf("Find after a day = %s, %v; want it held: %t", order.Status, err, tt.settled)
			}
			if n := b.duffel.Calls(duffeltest.CreateOrder); n != 1 {
				t.Errorf("Duffel was asked for %d orders; want 1", n)
			}
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
	_, err := b.Hold(t.Context(), holdAsk(o, "r1"))
	if wantKind(t, "Hold", err, gangway.Unavailable); b.duffel.Calls(duffeltest.GetOffer) != calls {
		t.Error("Duffel was called although it had asked for a pause")
	}
	_, err = b.Find(t.Context(), "r1")
	wantKind(t, "Find", err, gangway.NotFound)
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
			wantKind(t, "Hold", err, tt.want)
			for _, hidden := range []string{tt.code, tt.kind, "because a test", passenger.DocNumber, duffeltest.Token,
				"http"} {
				if strings.Contains(err.Error(), hidden) {
					t.Errorf("the booker reads %q, with %q in it", err, hidden)
				}
			}
			_, err = b.Find(t.Context(), tt.code)
			wantKind(t, "Find", err, gangway.NotFound)
			if !strings.Contains(b.log.String(), tt.code) || !strings.Contains(b.log.String(), "request_id=req_") {
				t.Error("the log does not say what Duffel answered, and to which request")
			}
		})
	}
}

// A payment whose answer goes wrong is made once, and its outcome is found out.
func TestIssueFaults(t *testing.T) {
	tests := []struct {
		name  string
		fault duffeltest.Fault
		soon  flight.Status // at the next look
		later flight.Status // a quarter of an hour later
	}{
		{"the request is lost", duffeltest.LostBefore, flight.Pending, flight.Held},
		{"the answer is lost", duffeltest.LostAfter, flight.Ticketed, flight.Ticketed},
		{"the answer is too late", duffeltest.Slow, flight.Ticketed, flight.Ticketed},
		{"an error after it was done", duffeltest.Broken, flight.Ticketed, flight.Ticketed},
		{"an error, and the outcome stays unknown", duffeltest.BrokenFirst, flight.Pending, flight.Pending},
		{"a timeout after it was done", duffeltest.TimedOut, flight.Ticketed, flight.Ticketed},
		{"a timeout before it was done", duffeltest.NoTime, flight.Pending, flight.Held},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newBuyer(t)
			order := b.held(t, "r1", "Flex")
			b.fail(t, duffeltest.Pay, tt.fault)
			_, err := b.Issue(t.Context(), order.ID, order.Price.Total)
			wantKind(t, "Issue", err, gangway.Unavailable)
			b.open(t)
			b.wantStatus(t, order.ID, tt.soon)
			if tt.soon == flight.Pending {
				_, err := b.Issue(t.Context(), order.ID, order.Price.Total)
				wantKind(t, "Issue while the outcome is unknown", err, gangway.Unavailable)
				_, err = b.QuoteCancel(t.Context(), order.ID)
				wantKind(t, "QuoteCancel while the outcome is unknown", err, gangway.Unavailable)
			}
			b.forward(16 * time.Minute)
			b.wantStatus(t, order.ID, tt.later)
			if n := b.duffel.Calls(duffeltest.Pay); n != 1 {
				t.Errorf("Duffel was asked for %d payments; want 1", n)
			}
			switch tt.later {
			case flight.Held: // nothing was paid: it can be paid now
				if o, err := b.Issue(t.Context(), order.ID, order.Price.Total); err != nil ||
					o.Status != flight.Ticketed {
					t.Fatalf("Issue = %s, %v", o.Status, err)
				}
			case flight.Pending:
				b.forward(order.HoldUntil.Sub(b.time()))
				b.wantStatus(t, order.ID, flight.Lapsed)
			}
		})
	}
	for _, code := range []string{"already_paid", "past_payment_required_by_date", "schedule_changed", "price_changed",
		"insufficient_balance", "payment_amount_does_not_match_order_amount"} {
		t.Run(code+" is a refusal", func(t *testing.T) {
			b := newBuyer(t)
			order := b.held(t, "r1", "Flex")
			b.duffel.Fail(duffeltest.Pay, duffeltest.Refusal(http.StatusUnprocessableEntity, "validation_error", code))
			_, err := b.Issue(t.Context(), order.ID, order.Price.Total)
			wantKind(t, "Issue", err, gangway.Conflict)
			b.wantStatus(t, order.ID, flight.Held)
		})
	}
}

// An order that is made when it is paid is made once, and its outcome is found out.
func TestBuyFaults(t *testing.T) {
	tests := []struct {
		name    string
		fault   duffeltest.Fault
		soon    flight.Status
		settled flight.Status
	}{
		{"the answer is lost", duffeltest.LostAfter, flight.Ticketed, flight.Ticketed},
		{"an error after it was done", duffeltest.Broken, flight.Ticketed, flight.Ticketed},
		{"the request is lost", duffeltest.LostBefore, flight.Pending, flight.Lapsed},
		{"accepted, and made later", duffeltest.PendingMade, flight.Pending, flight.Ticketed},
		{"accepted, and never made", duffeltest.PendingLost, flight.Pending, flight.Lapsed},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newBuyer(t)
			order := b.held(t, "r1", "Basic")
			b.fail(t, duffeltest.CreateOrder, tt.fault)
			_, err := b.Issue(t.Context(), order.ID, order.Price.Total)
			wantKind(t, "Issue", err, gangway.Unavailable)
			b.open(t)
			b.wantStatus(t, order.ID, tt.soon)
			b.duffel.Settle()
			b.forward(25 * time.Hour)
			b.wantStatus(t, order.ID, tt.settled)
			if n := b.duffel.Calls(duffeltest.CreateOrder); n != 1 {
				t.Errorf("Duffel was asked for %d orders; want 1", n)
			}
		})
	}
}

// A cancellation whose answer goes wrong is made once, and its outcome is found out.
func TestCancelFaults(t *testing.T) {
	tests := []struct {
		name        string
		fault       duffeltest.Fault
		soon, later flight.Status
	}{
		{"the request is lost", duffeltest.LostBefore, flight.Pending, flight.Ticketed},
		{"the answer is lost", duffeltest.LostAfter, flight.Withdrawn, flight.Withdrawn},
		{"the answer is too late", duffeltest.Slow, flight.Withdrawn, flight.Withdrawn},
		{"an error after it was done", duffeltest.Broken, flight.Withdrawn, flight.Withdrawn},
		{"a timeout before it was done", duffeltest.NoTime, flight.Pending, flight.Ticketed},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newBuyer(t)
			order := b.ticketed(t, "r1", "Flex")
			quote, err := b.QuoteCancel(t.Context(), order.ID)
			if err != nil {
				t.Fatal(err)
			}
			b.fail(t, duffeltest.ConfirmCancellation, tt.fault)
			_, err = b.Cancel(t.Context(), order.ID, quote.ID)
			wantKind(t, "Cancel", err, gangway.Unavailable)
			b.open(t)
			b.wantStatus(t, order.ID, tt.soon)
			b.forward(16 * time.Minute)
			b.wantStatus(t, order.ID, tt.later)
			if n := b.duffel.Calls(duffeltest.ConfirmCancellation); n != 1 {
				t.Errorf("Duffel was asked to cancel %d times; want 1", n)
			}
		})
	}
	t.Run("a stale quote is a refusal", func(t *testing.T) {
		b := newBuyer(t)
		order := b.ticketed(t, "r1", "Flex")
		quote, err := b.QuoteCancel(t.Context(), order.ID)
		if err != nil {
			t.Fatal(err)
		}
		b.duffel.Fail(duffeltest.ConfirmCancellation, duffeltest.Refusal(422, "invalid_state_error",
			"order_cancellation_stale"))
		_, err = b.Cancel(t.Context(), order.ID, quote.ID)
		wantKind(t, "Cancel", err, gangway.Conflict)
		b.wantStatus(t, order.ID, flight.Ticketed)
	})
}

// A change whose answer goes wrong is made once, and its outcome is found out.
func TestChangeFaults(t *testing.T) {
	tests := []struct {
		name  string
		call  string
		fault duffeltest.Fault
		want  gangway.Kind
		done  bool
	}{
		{"preparing it changes nothing", duffeltest.CreateChange, duffeltest.LostAfter, gangway.Conflict, false},
		{"the request is lost", duffeltest.ConfirmChange, duffeltest.LostBefore, gangway.Unavailable, false},
		{"the answer is lost", duffeltest.ConfirmChange, duffeltest.LostAfter, gangway.Unavailable, true},
		{"an error after it was done", duffeltest.ConfirmChange, duffeltest.Broken, gangway.Unavailable, true},
		{"a refusal", duffeltest.ConfirmChange, duffeltest.Refusal(422, "airline_error", "offer_no_longer_available"),
			gangway.Conflict, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newBuyer(t)
			order := b.ticketed(t, "r1", "Flex")
			offers, err := b.FindChanges(t.Context(), order.ID, b.ask("MNL", "AMS", 33).Legs)
			if err != nil || len(offers) == 0 {
				t.Fatalf("FindChanges = %d offers, %v", len(offers), err)
			}
			b.fail(t, tt.call, tt.fault)
			_, err = b.Change(t.Context(), order.ID, offers[0].ID)
			wantKind(t, "Change", err, tt.want)
			b.open(t)
			if tt.want == gangway.Unavailable && !tt.done {
				b.wantStatus(t, order.ID, flight.Pending)
			}
			b.forward(16 * time.Minute)
			now := b.wantStatus(t, order.ID, flight.Ticketed)
			if slices.Contains(now.Changes, offers[0].ID) != tt.done ||
				now.Itinerary.Departure().Equal(offers[0].Itinerary.Departure()) != tt.done {
				t.Errorf("the order flies %s with the changes %q; done: %t", now.Itinerary.Departure(), now.Changes,
					tt.done)
			}
			if n := b.duffel.Calls(duffeltest.ConfirmChange); n > 1 {
				t.Errorf("Duffel was asked to change %d times; want 1", n)
			}
		})
	}
}

// An accepted notice whose answer goes wrong is accepted once, and the outcome is found out.
func TestAcceptFaults(t *testing.T) {
	for _, tt := range []struct {
		name  string
		fault duffeltest.Fault
		done  bool
	}{
		{"the request is lost", duffeltest.LostBefore, false},
		{"the answer is lost", duffeltest.LostAfter, true},
		{"an error after it was done", duffeltest.Broken, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := newBuyer(t)
			order := b.ticketed(t, "r1", "Flex")
			b.disrupt(t, order.ID, 3*time.Hour)
			order = b.wantStatus(t, order.ID, flight.Ticketed)
			b.fail(t, duffeltest.AcceptNotice, tt.fault)
			_, err := b.Accept(t.Context(), order.ID, order.Notice.ID)
			wantKind(t, "Accept", err, gangway.Unavailable)
			b.open(t)
			if !tt.done {
				b.wantStatus(t, order.ID, flight.Pending)
			}
			b.forward(16 * time.Minute)
			now := b.wantStatus(t, order.ID, flight.Ticketed)
			if slices.Contains(now.Changes, order.Notice.ID) != tt.done || (now.Notice == nil) != tt.done {
				t.Errorf("changes %q, notice %+v; done: %t", now.Changes, now.Notice, tt.done)
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
		_, err := b.Order(t.Context(), order.ID)
		wantKind(t, "Order", err, gangway.Unavailable)
		b.forward(time.Minute)
	}
	b.wantStatus(t, order.ID, flight.Held)
}
