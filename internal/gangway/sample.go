package gangway

import "time"

// Samples is the supplier of bookings that were made up, so that a report has something to tell of.
const Samples = "sample"

// Sample reports whether b was made up. Nothing more happens to it, nobody waits for it, and no system of the
// customer is told of it.
//
// Decided: docs/choices.md, "Sample bookings".
func (b Booking) Sample() bool { return b.Supplier == Samples }

// MarkSample marks b as made up.
func (b *Booking) MarkSample() {
	b.Supplier, b.Simulated, b.AutoIssue, b.CheckAt = Samples, true, false, time.Time{}
}

// AdmitsSamples returns why a may not have made-up bookings: in production they would be taken for real ones.
func (a Account) AdmitsSamples() error {
	if a.Environment != Development {
		return Errorf(Invalid, "sample bookings are made up in development only: in production they would be taken "+
			"for real ones")
	}
	return nil
}
