package gangway

import (
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// The report has columns that no supplier can fill, so people enter them: that
// somebody did not fly, and invoice numbers. This changes nothing about the
// booking itself: there is no action, and nothing is delivered.
//
// Decided: docs/choices.md, "Booking record".

// A Stamp says who entered something, and when.
type Stamp struct {
	By     string    `json:"by"` // e-mail
	ByName string    `json:"by_name,omitempty"`
	At     time.Time `json:"at"`
}

// StampOf returns the stamp for an entry that u makes at an instant.
func StampOf(u User, at time.Time) Stamp { return Stamp{By: u.Email, ByName: u.Name, At: at} }

// A NoShow says whether the traveller missed a flight.
type NoShow struct {
	Missed bool `json:"missed"` // false: it was entered, and taken back
	Stamp
}

// An Invoice is a number that the booking was invoiced under.
type Invoice struct {
	Number  string `json:"number"`
	Removed *Stamp `json:"removed,omitempty"`
	Stamp
}

// Limits of invoice numbers.
const (
	invoicesKept  = 20
	invoiceLength = 40
)

// SetNoShow enters that the traveller did not fly, or takes that back. It fails
// with Conflict if no ticket was issued or the first flight has not left yet.
func (b *Booking) SetNoShow(missed bool, s Stamp) error {
	switch {
	case !b.Ticketed() && len(b.Tickets) == 0:
		return Errorf(Conflict, "booking %s has no ticket: nobody could have flown on it", b.Locator)
	case s.At.Before(b.Itinerary.Departure()):
		return Errorf(Conflict, "booking %s does not leave until %s: a no-show is entered after departure", b.Locator,
			b.Itinerary.Departure().Format("2 Jan 15:04 MST"))
	case missed == (b.NoShow != nil && b.NoShow.Missed):
		return nil
	}
	b.NoShow = &NoShow{Missed: missed, Stamp: s}
	return nil
}

// AddInvoices enters the numbers in text, separated by commas. A number that was
// entered before stays as it was.
func (b *Booking) AddInvoices(text string, s Stamp) error {
	list := slices.Clone(b.Invoices)
	for number := range strings.SplitSeq(text, ",") {
		number = strings.TrimSpace(number)
		switch {
		case number == "":
			continue
		case utf8.RuneCountInString(number) > invoiceLength || strings.ContainsFunc(number, func(r rune) bool {
			return !unicode.IsPrint(r)
		}):
			return Errorf(Invalid, "an invoice number has at most %d characters, none of them invisible", invoiceLength)
		case !slices.ContainsFunc(list, func(i Invoice) bool {
			return i.Removed == nil && strings.EqualFold(i.Number, number)
		}):
			list = append(list, Invoice{Number: number, Stamp: s})
		}
	}
	if len(list) == 0 {
		return Errorf(Invalid, "the invoice number is missing")
	}
	if len(list) > invoicesKept {
		return Errorf(Invalid, "a booking has at most %d invoice numbers, including removed ones",
			invoicesKept)
	}
	b.Invoices = list
	return nil
}

// RemoveInvoice takes back a number; the record keeps who did.
func (b *Booking) RemoveInvoice(number string, s Stamp) error {
	i := slices.IndexFunc(b.Invoices, func(i Invoice) bool { return i.Removed == nil && i.Number == number })
	if i < 0 {
		return Errorf(NotFound, "booking %s has no invoice %q", b.Locator, number)
	}
	b.Invoices = slices.Clone(b.Invoices)
	b.Invoices[i].Removed = &s
	return nil
}

// InvoiceNumbers lists the numbers that were not taken back.
func (b Booking) InvoiceNumbers() []string {
	var list []string
	for _, i := range b.Invoices {
		if i.Removed == nil {
			list = append(list, i.Number)
		}
	}
	return list
}

// A FrequentFlyer is a traveller's membership of an airline's programme.
type FrequentFlyer struct {
	Airline string `json:"airline"` // IATA code
	Number  string `json:"number"`
}

var frequentFlyer = regexp.MustCompile(`^([A-Z][A-Z0-9]|[0-9][A-Z])[ -]*([A-Z0-9]{4,20})$`)

// ParseFrequentFlyer reads "SQ 8001234567": the airline's code and the number.
func ParseFrequentFlyer(s string) (FrequentFlyer, error) {
	m := frequentFlyer.FindStringSubmatch(strings.ToUpper(strings.TrimSpace(s)))
	if m == nil || !strings.ContainsAny(m[2], "0123456789") {
		return FrequentFlyer{}, Errorf(Invalid,
			"a frequent flyer number is the airline's two letters and the number, as in SQ 8001234567")
	}
	return FrequentFlyer{Airline: m[1], Number: m[2]}, nil
}

// FrequentFlyerUsed reports whether a frequent flyer number was given when b was booked.
func (b Booking) FrequentFlyerUsed() bool {
	return b.FrequentFlyerErased || b.Passenger.FrequentFlyer.Number != ""
}

// String returns f as ParseFrequentFlyer reads it; empty when there is no number.
func (f FrequentFlyer) String() string {
	if f.Number == "" {
		return ""
	}
	return f.Airline + " " + f.Number
}
