package main

import (
	"context"
	"slices"
	"strings"

	"gangway/internal/gangway"
	"gangway/internal/store"
)

// ticketOyvind is Øyvind, a given name of every fifteenth, as tickets have it.
const ticketOyvind = "oeyvind"

// register stores the travellers of the fleet, to be found by any word of their names, unless
// they are stored already.
func (f fleet) register(ctx context.Context, db *store.DB, in store.Scoped) error {
	some, err := in.SuggestTravellers(ctx, "", nil, 1)
	if err != nil || len(some) > 0 {
		return err
	}
	for from := 0; from < crewSize; from += fillAtATime {
		list := make([]gangway.Traveller, 0, fillAtATime)
		for who := from; who < min(from+fillAtATime, crewSize); who++ {
			list = append(list, seafarer(who))
		}
		if _, err := in.UpsertTravellers(ctx, list); err != nil {
			return err
		}
	}
	for more := true; more && err == nil; {
		more, err = db.WriteTravellerWords(ctx)
	}
	return err
}

// given returns the words of t's given names: each has two.
func given(t gangway.Traveller) []string { return strings.Fields(t.FirstName) }

// withOyvind returns the first booking from n on of somebody with that name.
func (f fleet) withOyvind(n int) int {
	for !slices.Contains(given(f.crew(n)), "Øyvind") {
		n = (n + 1) % f.bookings
	}
	return n
}

// twoSurnames are the beginnings of two surnames that hundreds of travellers have. Nobody has
// both, and no given name begins that way.
func twoSurnames(n int) string {
	list := strings.Fields("Bra Kra Pra Tri Ve Sta")
	return list[n%len(list)] + " " + list[(n+1+n/len(list)%(len(list)-1))%len(list)]
}
