package book

import (
	"context"
	"strings"
	"unicode/utf8"

	"gangway/internal/gangway"
	"gangway/internal/store"
)

// An Asker asks customers' systems while somebody waits.
type Asker interface {
	// Asks reports whether the account has a feed of a flow that can be asked while
	// somebody waits. It is called for every letter that anybody types, and costs
	// next to nothing.
	Asks(ctx context.Context, in store.Scoped, flow gangway.Flow) (bool, error)

	// Ask asks all feeds of the account and flow that can be asked, side by side, and
	// stores what they answer, so that it is read like what was uploaded. It returns
	// within 3 s, whatever the systems do, with one answer for each feed: one that has
	// not answered one of several questions counts as one that has not answered. What
	// systems do is no error.
	Ask(ctx context.Context, in store.Scoped, flow gangway.Flow, asks ...gangway.Ask) ([]gangway.FeedAnswer, error)
}

// Asks reports whether an account's customer has a system that can be asked for
// the records of a flow while somebody waits.
func (d *Desk) Asks(ctx context.Context, in store.Scoped, flow gangway.Flow) (asks bool, err error) {
	if d.asker == nil {
		return false, nil
	}
	return d.asker.Asks(ctx, in, flow)
}

// leastAsked is with how many letters of a surname a customer's system is asked:
// fewer fit half of all people.
const leastAsked = 2

// SurnameAsked returns the beginning of the surname in what was typed of a name,
// with which a customer's system is asked; empty: it is not asked.
func SurnameAsked(typed string) string {
	surname, rest := typed, false
	if i := strings.IndexAny(typed, ",/"); i >= 0 {
		surname, rest = typed[:i], true
	}
	words := strings.Fields(surname)
	switch {
	case len(words) == 0 || strings.ContainsAny(surname, "0123456789"): // an identifier, by which it cannot be asked
		return ""
	case rest:
		surname = strings.Join(words, " ")
	default:
		surname = words[0] // what follows may be given names
	}
	if utf8.RuneCountInString(surname) < leastAsked && !isSyllabic(surname) {
		return ""
	}
	return surname
}

// AskTravellers asks the customer's systems for the travellers whose surname
// begins as typed.
func (d *Desk) AskTravellers(ctx context.Context, in store.Scoped, typed string) ([]gangway.FeedAnswer, error) {
	surname := SurnameAsked(typed)
	if surname == "" {
		return nil, nil
	}
	return d.askSystems(ctx, in, gangway.TravellerLookupFlow, gangway.Ask{Surname: surname})
}

// AskTravelRequests asks the customer's systems for the travel requests of some days.
func (d *Desk) AskTravelRequests(ctx context.Context, in store.Scoped, from,
	to gangway.Date) ([]gangway.FeedAnswer, error) {
	return d.askSystems(ctx, in, gangway.TravelRequestsFlow, gangway.Ask{From: from, To: to})
}

// datesAsked is for how many dates a customer's system is asked for crew changes at most, from the
// first on.
//
// Decided: docs/choices.md, "Travel requests and crew changes by call (B3, B4)".
const datesAsked = 7

// LastDateAsked returns the last of the dates from one to another for which AskCrewChanges asks.
func LastDateAsked(from, to gangway.Date) gangway.Date {
	return min(to, from.AddDays(datesAsked-1))
}

// AskCrewChanges asks the customer's systems for the crew changes of the first
// dates from one to another, one date at a time.
func (d *Desk) AskCrewChanges(ctx context.Context, in store.Scoped, from,
	to gangway.Date) ([]gangway.FeedAnswer, error) {
	var dates []gangway.Ask
	for date := from; date <= LastDateAsked(from, to); date = date.AddDays(1) {
		dates = append(dates, gangway.Ask{Date: date})
	}
	return d.askSystems(ctx, in, gangway.CrewChangesFlow, dates...)
}

func (d *Desk) askSystems(ctx context.Context, in store.Scoped, flow gangway.Flow,
	asks ...gangway.Ask) ([]gangway.FeedAnswer, error) {
	if d.asker == nil {
		return nil, nil
	}
	return d.asker.Ask(ctx, in, flow, asks...)
}
