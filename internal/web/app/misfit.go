package app

import (
	"gangway"
	"gangway/internal/book"
)

// What a booking is held against.
const (
	aShip    = book.AShip
	aRequest = book.ARequest
)

// misfit says in what a booking is not what is planned; nothing when it is.
// The desk, which does not issue such a booking, says it in the same words.
func misfit(f gangway.Fit, plan string) string { return book.Misfit(f, plan) }

// shortPlace names a place in few letters.
func shortPlace(place gangway.Place) string { return book.ShortPlace(place) }
