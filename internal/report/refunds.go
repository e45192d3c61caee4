package report

import "gangway/internal/gangway"

// Refunds has a row for each booking that was paid and cancelled, or is being cancelled: what comes
// back, and when, which may be nothing.
var Refunds = Set{
	Name: "Refunds", Key: []string{"BookingId"}, Newest: "AskedAt",
	Columns: columnsOf(refunds), Table: "report_refund", Vanishing: true, Tracked: true,
	Navigations: []Navigation{ofBooking},
	About: "One row for each cancelled booking that had been paid: the money that comes back, which may be nothing. " +
		"All amounts are in RefundCurrency.",
}

// A moneyBack is the refund after the cancellation of a booking.
type moneyBack struct {
	gangway.Refund
	of gangway.Booking
}

// refunds are the columns of Refunds.
var refunds = []columnOf[moneyBack]{
	{bookingID, func(r moneyBack) any { return r.of.ID }},
	{Column{Name: "AskedAt", SQL: "asked_at", Kind: Instant, About: "When the money was asked back."},
		func(r moneyBack) any { return instant(r.AskedAt) }},
	{Column{Name: "SettledAt", SQL: "settled_at", Kind: Instant,
		About: "When it had come, or it was certain that nothing comes."},
		func(r moneyBack) any { return instant(r.SettledAt) }},
	{Column{Name: "Awaited", SQL: "awaited", Kind: Flag, Always: true,
		About: "Whether money, or news of it, is still to come."},
		func(r moneyBack) any { return r.Awaited() }},
	{Column{Name: "Voided", SQL: "voided", Kind: Flag, Always: true,
		About: "Whether the tickets were voided on the day that they were issued: in the end nothing was charged."},
		func(r moneyBack) any { return r.Void }},
	{Column{Name: "PromisedTotal", SQL: "promised_total", Kind: Decimal, Scale: 3, Currency: "RefundCurrency",
		About: "What was promised before RefundTotal was last corrected; unknown where it never was."},
		func(r moneyBack) any {
			if r.Promised.Currency != r.Amount.Currency {
				return nil
			}
			return thousandths(r.Promised)
		}},
	{Column{Name: "RefundTotal", SQL: "refund_total", Kind: Decimal, Scale: 3, Currency: "RefundCurrency",
		About: "What comes back after the cancellation, in RefundCurrency; unknown as long as the airline has not " +
			"said it."},
		func(r moneyBack) any { return thousandthsOf(r.of.RefundTotal()) }},
	{Column{Name: "ReturnedTotal", SQL: "returned_total", Kind: Decimal, Scale: 3, Currency: "RefundCurrency",
		About: "How much of that has come back so far."},
		func(r moneyBack) any { return thousandths(r.of.Returned()) }},
	{Column{Name: "OutstandingTotal", SQL: "outstanding_total", Kind: Decimal, Scale: 3, Currency: "RefundCurrency",
		About: "How much of that is still to come; unknown as long as the airline has not said it."},
		func(r moneyBack) any { return thousandthsOf(r.of.StillToCome()) }},
	{Column{Name: "KeptTotal", SQL: "kept_total", Kind: Decimal, Scale: 3, Currency: "RefundCurrency",
		About: "How much of what was paid does not come back; unknown as long as the airline has not said it, or if " +
			"it was paid in another currency."},
		func(r moneyBack) any { return thousandthsOf(r.of.Kept()) }},
	{Column{Name: "RefundCurrency", SQL: "refund_currency", About: "ISO 4217."},
		func(r moneyBack) any { return known(r.Amount.Currency) }},
}

// refundsOf lists the refund of a booking, if there is one.
func refundsOf(b gangway.Booking) []moneyBack {
	if r := b.Refund; r != nil {
		return []moneyBack{{*r, b}}
	}
	return nil
}
