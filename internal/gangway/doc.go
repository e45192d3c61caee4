// Package gangway holds the nouns of crew travel and their rules: travellers,
// travel requests, crew changes, bookings and what may happen to them.
//
// It knows no database, no wire format and no clock: values come in, values and
// errors go out. Everything else in the program imports it; it imports nothing
// of ours.
package gangway
