package wire

import (
	"gangway/internal/gangway"

	"github.com/go-json-experiment/json/jsontext"
)

// addMoney adds to a booking's metadata what the record has no member for: the
// change fees, which are part of the price, and after a cancellation the refund,
// promised or paid. What is not known is left out.
//
// Decided: docs/choices.md, "Booking record".
func addMoney(m map[string]any, b gangway.Booking) {
	if fees := b.PaidFor(gangway.ForChange); !fees.IsZero() {
		m["change_fees"] = jsontext.Value(fees.Decimal())
	}
	if back, known := b.RefundTotal(); known {
		m["refund_total"], m["refund_ccy"] = jsontext.Value(back.Decimal()), back.Currency
	}
}
