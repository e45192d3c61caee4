package bookings

import (
	"net/http"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
)

// A bookkeeping is what people enter about a booking for the report, with who entered it and when.
type bookkeeping struct {
	ID       string
	NoShow   *gangway.NoShow
	CanMiss  bool // the flight has left, so a no-show can be entered
	Invoices []gangway.Invoice
}

func newBookkeeping(b gangway.Booking, now time.Time) bookkeeping {
	k := bookkeeping{ID: b.ID, NoShow: b.NoShow}
	trial := b
	k.CanMiss = trial.SetNoShow(true, gangway.Stamp{At: now}) == nil
	for _, i := range b.Invoices {
		if i.Removed == nil {
			k.Invoices = append(k.Invoices, i)
		}
	}
	return k
}

// NoShow records that the traveller did not fly, or takes that back.
func (room *Room) NoShow(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	by, id := asker(r)
	missed, said := r.PostFormValue("missed") == "yes", "The no-show was taken back."
	if missed {
		said = "Entered: the traveller did not fly."
	}
	_, err := room.desk.SetNoShow(r.Context(), in, by, id, missed)
	return room.acted(w, r, in, err, said, room.showBooking)
}

// AddInvoices records invoice numbers.
func (room *Room) AddInvoices(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	by, id := asker(r)
	_, err := room.desk.AddInvoices(r.Context(), in, by, id, r.PostFormValue("numbers"))
	return room.acted(w, r, in, err, "The invoice number was entered.", room.showBooking)
}

// RemoveInvoice takes an invoice number back.
func (room *Room) RemoveInvoice(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	by, id := asker(r)
	_, err := room.desk.RemoveInvoice(r.Context(), in, by, id, r.PostFormValue("number"))
	return room.acted(w, r, in, err, "The invoice number was removed.", room.showBooking)
}
