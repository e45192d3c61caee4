package samplebookings

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"gangway/internal/gangway"
	"gangway/internal/invented"
)

// traveller makes up a crew member from a country, who lives near home.
func traveller(chance *rand.Rand, from gangway.Country, home gangway.Airport, year int) gangway.Traveller {
	born := fmt.Sprintf("%d-%02d-%02d", year-21-chance.IntN(38), 1+chance.IntN(12), 1+chance.IntN(28))
	t := gangway.Traveller{
		ID:          fmt.Sprintf("S-%07d", chance.IntN(10_000_000)),
		DOB:         gangway.Date(born),
		Nationality: from,
		DocCountry:  from,
		DocNumber:   fmt.Sprintf("S%07d", chance.IntN(10_000_000)),
		DocExpire:   gangway.Date(fmt.Sprintf("%d-%02d-15", year+1+chance.IntN(8), 1+chance.IntN(12))),
		HomeAirport: home,
	}
	t.LastName, t.FirstName, t.Gender = invented.Of(string(from)).Name(chance)
	return t
}

// home draws an airport of a country.
func home(chance *rand.Rand, from gangway.Country) gangway.Airport {
	return gangway.Airport(invented.Pick(chance, invented.Of(string(from)).Airports))
}

// The people of the invented offices; no one signs in as any of them.
var (
	bookers = staff(gangway.Booker, "Mara Lindqvist", "Joris Vermeer", "Chloe Tan", "Paolo Ferri", "Agnes Kraft",
		"Ravi Menon", "Sofia Alvarez")
	approvers = staff(gangway.Approver, "Tomas Okafor", "Birgit Holm", "Desmond Lee")
	clerk     = staff(gangway.Booker, "Ewa Nowicka")[0] // who enters invoices
)

func staff(role gangway.Role, names ...string) (list []gangway.User) {
	for _, name := range names {
		address := strings.ToLower(strings.ReplaceAll(name, " ", ".")) + "@sample.example"
		list = append(list, gangway.User{Email: address, Name: name, Role: role})
	}
	return list
}

// names are the names of all of them by their addresses.
var names = func() map[string]string {
	all := map[string]string{}
	for _, u := range slices.Concat(bookers, approvers, []gangway.User{clerk}) {
		all[u.Email] = u.Name
	}
	return all
}()

// Why approvers decline.
var refusals = []string{
	"A cheaper flight leaves the same day.", "The change of crew was postponed.", "Please take the marine fare.",
	"Too long a connection for this traveller.", "The relief joins at the next port.",
}
