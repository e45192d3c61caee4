package gangway

import (
	"slices"
	"strings"
)

// A Magic is the surname of travellers to whom always the same happens in the sandbox, as with the numbers of
// test cards. It is written as on a ticket and without spaces.
//
// Decided: docs/choices.md, "The sandbox".
type Magic string

// The magic surnames.
const (
	MagicRefused   Magic = "MAGICREFUSED"   // the airline refuses to hold seats
	MagicDeclined  Magic = "MAGICDECLINED"  // waits for approval, which is refused at once
	MagicSilent    Magic = "MAGICSILENT"    // the airline never answers
	MagicLate      Magic = "MAGICLATE"      // the airline answers an hour late
	MagicHold      Magic = "MAGICHOLD"      // the hold ends after a minute
	MagicPrice     Magic = "MAGICPRICE"     // the price moves whenever tickets are asked for
	MagicTicket    Magic = "MAGICTICKET"    // tickets are refused once, then issued
	MagicRefund    Magic = "MAGICREFUND"    // tickets cannot be voided: a refund comes after three days
	MagicRefunded  Magic = "MAGICREFUNDED"  // the same, and the refund comes at once
	MagicCancelled Magic = "MAGICCANCELLED" // the airline cancels a flight as soon as tickets are issued
	MagicRetimed   Magic = "MAGICRETIMED"   // the airline moves a flight by two hours then
)

// Magics lists all magic surnames.
var Magics = []Magic{MagicRefused, MagicDeclined, MagicSilent, MagicLate, MagicHold, MagicPrice, MagicTicket,
	MagicRefund, MagicRefunded, MagicCancelled, MagicRetimed}

// magicWords say what happens to each, as docs/reference.md does.
var magicWords = map[Magic]string{
	MagicRefused:   "the airline refuses to hold seats: nothing is booked",
	MagicDeclined:  "the booking waits for approval, and that is refused at once",
	MagicSilent:    "the airline never answers: nobody knows whether it is booked",
	MagicLate:      "the airline answers an hour late",
	MagicHold:      "the hold ends after a minute",
	MagicPrice:     "the price rises by 5 % whenever tickets are asked for, so none is ever issued",
	MagicTicket:    "tickets are refused once, and issued when they are asked for again",
	MagicRefund:    "tickets cannot be voided, so that the refund comes 72 hours after cancelling",
	MagicRefunded:  "the same, and the refund comes within a quarter of an hour",
	MagicCancelled: "the airline cancels a flight as soon as the tickets are issued",
	MagicRetimed:   "the airline moves a flight by two hours as soon as the tickets are issued",
}

// Words say what happens to travellers of that name.
func (m Magic) Words() string { return magicWords[m] }

// MagicOf returns the magic surname that lastName is, however it is spelled; empty: it is none.
func MagicOf(lastName string) Magic {
	m := Magic(strings.ToUpper(strings.Join(strings.Fields(lastName), "")))
	if slices.Contains(Magics, m) {
		return m
	}
	return ""
}

// MistypedMagic returns a surname that begins like the magic ones and is none of them; empty: lastName is no such one.
func MistypedMagic(lastName string) string {
	m := strings.ToUpper(strings.Join(strings.Fields(lastName), ""))
	if rest, like := strings.CutPrefix(m, "MAGIC"); !like || rest == "" || slices.Contains(Magics, Magic(m)) {
		return ""
	}
	return m
}
