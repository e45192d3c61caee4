package duffel

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
)

// nothingQuote is the quote's id if the airline has nothing to cancel.
const nothingQuote = "nothing"

// quoteLife is how long a quote is valid if Duffel does not say.
const quoteLife = 15 * time.Minute

// QuoteCancel returns what would be refunded if the order were cancelled now.
func (s *Seller) QuoteCancel(ctx context.Context, id string) (flight.CancelQuote, error) {
	r, order, end, err := s.lookAt(ctx, id)
	if err != nil {
		return flight.CancelQuote{}, err
	}
	defer end()
	none := gangway.Money{Currency: order.Price.Total.Currency}
	nothing := flight.CancelQuote{ID: nothingQuote, Refund: none, Kept: none, Expires: s.now().Add(quoteLife)}
	switch {
	case order.Status == flight.Lapsed:
		nothing.Rule = "The hold has expired: nothing is charged."
		return nothing, nil
	case order.Status != flight.Held && order.Status != flight.Ticketed:
		return flight.CancelQuote{}, gangway.Errorf(gangway.Conflict, "the airline has this order as %s", order.Status)
	case r.Order == "":
		nothing.Rule = "Nothing has been bought: nothing is charged."
		return nothing, nil
	}
	var w wireCancellation
	if err := s.prepare(ctx, "/air/order_cancellations", map[string]any{"order_id": r.Order}, &w); err != nil {
		return flight.CancelQuote{}, explainError(err) // a quote changes nothing
	}
	q, err := s.quote(w, order)
	if err != nil {
		return q, err
	}
	return q, s.note(ctx, &r, func(r *record) { r.Quote = &quote{ID: q.ID, Refund: q.Refund, Expires: q.Expires} })
}

// quote reads what cancelling leads to, and puts the rule into words.
func (s *Seller) quote(w wireCancellation, order flight.Order) (flight.CancelQuote, error) {
	paid := order.Price.Total
	none := gangway.Money{Currency: paid.Currency}
	q := flight.CancelQuote{ID: w.ID, Refund: none, Kept: paid, Expires: instant(w.ExpiresAt)}
	if q.Expires.IsZero() {
		q.Expires = s.now().Add(quoteLife)
	}
	switch {
	case order.Status == flight.Held || w.RefundTo == "awaiting_payment":
		q.Kept, q.Rule = none, "No ticket was issued: the seats are released and nothing is charged."
		return q, nil
	case w.RefundTo == "airline_credits" || w.RefundTo == "voucher":
		q.Rule = "Nothing is refunded in money: the airline gives " + credits(w) + "."
		return q, nil
	case w.Refund == nil:
		q.Kept, q.Unknown, q.Rule = none, true, "The airline states the refund only after the cancellation."
		return q, nil
	}
	back, err := amount(*w.Refund, currencyOr(w.Currency, paid.Currency))
	if err != nil {
		return q, err
	}
	if back.Currency != paid.Currency {
		q.Refund, q.Kept, q.Rule = back, none, fmt.Sprintf("%s of the %s paid are refunded.", back, paid)
		return q, nil
	}
	if back.Minor > paid.Minor {
		// The order was also paid for elsewhere, so we do not know what is kept.
		q.Kept, q.Unknown, q.Rule = none, true,
			fmt.Sprintf("The airline says that it refunds %s, which is more than was paid here.", back)
		return q, nil
	}
	q.Refund, q.Kept = back, paid.Sub(back)
	switch {
	case back == paid && s.now().Before(order.VoidUntil):
		q.Void, q.Rule = true, "The tickets are new: they are voided and nothing is charged."
		if order.VoidUntil.Before(q.Expires) {
			q.Expires = order.VoidUntil
		}
	case back == paid:
		q.Rule = "The fare is refundable: everything is refunded."
	case back.IsZero():
		q.Rule = "The fare is not refundable: nothing is refunded."
	default:
		q.Rule = fmt.Sprintf("The airline keeps %s; the rest is refunded.", q.Kept)
	}
	return q, nil
}

// credits describes what an airline gives instead of money.
func credits(w wireCancellation) string {
	var list []string
	for _, c := range w.Credits {
		if m, err := amount(c.Amount, c.Currency); err == nil {
			list = append(list, m.String())
		}
	}
	switch {
	case w.RefundTo == "voucher":
		return "a voucher"
	case len(list) == 0:
		return "a credit for later flights"
	}
	return "a credit of " + strings.Join(list, " and ") + " for later flights"
}

// Cancel cancels the order on the terms of its newest quote.
func (s *Seller) Cancel(ctx context.Context, id, quote string) (flight.Order, error) {
	r, order, end, err := s.lookAt(ctx, id)
	if err != nil {
		return flight.Order{}, err
	}
	defer end()
	switch {
	case order.Status == flight.Withdrawn || order.Status == flight.Refused:
		return flight.Order{}, gangway.Errorf(gangway.Conflict, "the airline has this order as %s", order.Status)
	case quote == nothingQuote:
		return s.release(ctx, &r, order)
	case r.Quote == nil || r.Quote.ID != quote || !s.now().Before(r.Quote.Expires):
		return flight.Order{}, gangway.Errorf(gangway.Conflict,
			"this quote has expired or been replaced: ask for a new one")
	}
	order, err = s.once(ctx, &r, attempt{Operation: cancelling, ID: quote},
		"/air/order_cancellations/"+url.PathEscape(quote)+"/actions/confirm", nil)
	if err == nil && order.Refund != nil && !order.Refund.Void {
		order.Refund.SettledAt = time.Time{} // it has only just been requested; a later look shows it settled
	}
	return order, err
}

// release cancels an order of which the airline has nothing, or no longer has anything.
func (s *Seller) release(ctx context.Context, r *record, order flight.Order) (flight.Order, error) {
	if r.Order != "" && order.Status != flight.Lapsed {
		return flight.Order{}, gangway.Errorf(gangway.Conflict,
			"the order has changed since this quote: ask for a new one")
	}
	if err := s.note(ctx, r, func(r *record) { r.GivenUp = true }); err != nil {
		return flight.Order{}, err
	}
	order.Status = flight.Withdrawn
	return order, nil
}
