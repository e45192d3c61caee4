package samplebookings

import (
	"math/rand/v2"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/invented"
)

// Journey makes up the search for a crew member who joins a ship some weeks from now, and who books it and may
// approve it. Each seed makes up another. Nobody of them exists, and the search has no identifier yet.
func Journey(seed uint64, now time.Time) (s gangway.Search, booker, approver gangway.User) {
	c := rand.New(rand.NewPCG(seed, 0))
	v := fleet(c, 1)[0]
	from := v.crew[c.IntN(len(v.crew))]
	j := journey{side: gangway.OnSigner, home: home(c, from), port: v.ports[c.IntN(len(v.ports))],
		date: gangway.DateOf(now).AddDays(21 + c.IntN(21))}
	rank := invented.Pick(c, invented.Ranks)
	member := gangway.SearchMember{Traveller: traveller(c, from, j.home, now.Year()), Side: j.side, Rank: rank,
		Legs: []gangway.Leg{j.leg()}, CustomFields: map[string]string{"rank": rank, "cost_centre": v.centre}}
	return gangway.Search{CreatedAt: now, Vessel: v.name, Flag: v.flag, Airport: j.port, Date: j.date,
		Members: []gangway.SearchMember{member}}, bookers[c.IntN(len(bookers))], approvers[c.IntN(len(approvers))]
}
