package main

import (
	"cmp"
	"fmt"
	"strings"

	"gangway/internal/accept/poll"
	"gangway/internal/book"
	"gangway/internal/gangway"
	"gangway/internal/wire"

	"github.com/go-json-experiment/json/jsontext"
)

type travellerFind struct {
	Start string `arg:"" help:"The beginning of a surname, as somebody types it when booking; given names may follow."`
	feedFlags
}

// foundTravellers is how many travellers are listed.
const foundTravellers = 50

// Run lists the travellers that the suggestion has, those among them whom the customer's system is asked for.
func (c *travellerFind) Run(t *terminal) error {
	poller, in, _, err := c.poller(t)
	if err != nil {
		return err
	}
	defer poller.Rest()
	if surname := book.SurnameAsked(c.Start); surname != "" {
		answers, err := poller.Ask(t.ctx, in, gangway.TravellerLookupFlow, gangway.Ask{Surname: surname})
		if err != nil {
			return err
		}
		warnOfAnswers(t, answers)
	}
	found, err := book.Suggest(t.ctx, in, c.Start, foundTravellers)
	if err != nil {
		return err
	}
	list, rows := []jsontext.Value{}, [][]any{{"TRAVELLER", "BORN", "PASSPORT", "HOME", "ID", "SOURCE"}}
	for _, who := range found {
		from, err := in.TravellerOrigin(t.ctx, who.RecordKey())
		if err != nil && gangway.KindOf(err) != gangway.NotFound { // it may be gone since
			return err
		}
		list = append(list, wire.Traveller(who, from.Source))
		rows = append(rows, []any{printable(who.LastName + ", " + who.FirstName), cmp.Or(string(who.DOB), "-"),
			cmp.Or(printable(strings.TrimSpace(string(who.DocCountry)+" "+who.DocNumber)), "-"),
			cmp.Or(string(who.HomeAirport), "-"), cmp.Or(printable(who.ID), "-"), from.Source})
	}
	return c.printList(t, list, rows)
}

// warnOfAnswers says which feeds have not answered. What they have told before is shown all the same.
func warnOfAnswers(t *terminal, answers []poll.Answer) {
	for _, a := range answers {
		if a.Error != "" {
			fmt.Fprintf(t.err, "gangway: warning: feed %s: %s\n", a.Feed, printable(a.Error))
		}
	}
}
