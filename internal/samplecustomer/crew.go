package samplecustomer

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"gangway/internal/invented"
)

// A person is one of the crew, with the fields of the traveller record.
//
// Spec: Traveller record.
type person struct {
	LastName    string `json:"last_name"`
	FirstName   string `json:"first_name"`
	DOB         string `json:"dob"`
	Nationality string `json:"nationality"`
	Gender      string `json:"gender"`
	DocCountry  string `json:"doc_country"`
	DocNumber   string `json:"doc_number"`
	DocExpire   string `json:"doc_expire"`
	HomeAirport string `json:"home_airport"`
	Email       string `json:"email"`
	Phone       string `json:"phone"`
	ID          string `json:"id"`

	rank string
}

func (p person) name() string { return p.FirstName + " " + p.LastName }

// crewSize is how many people sail on the fleet: eight ships, twice over,
// since half of them are at home.
const crewSize = 320

// worldly is where the people of the largest ship live. One person from each place
// joins and one leaves; they follow the crew of the fleet in the list.
var worldly = []string{
	"MNL", "CEB", "ILO", "BOM", "COK", "GDN", "RMO", "TBS", "OTP", "VAR", "SPU", "RIX", "CMB", "DAC", "HAN", "DLC",
	"CGK", "ACC", "ABZ", "OSL",
}

// invent makes up the crew, the same one every time. Ages and passports are relative to
// today.
func invent(today time.Time) []person {
	random := rand.New(rand.NewPCG(7, 19))
	taken := map[string]bool{}
	crew := make([]person, 0, crewSize+2*len(worldly))
	for len(crew) < cap(crew) {
		from := invented.Any(random)
		home := invented.Pick(random, from.Airports)
		if more := len(crew) - crewSize; more >= 0 {
			home = worldly[more%len(worldly)]
			from = invented.Nations[slices.IndexFunc(invented.Nations, func(n invented.Nation) bool {
				return slices.Contains(n.Airports, home)
			})]
		}
		p := person{Nationality: from.Country, DocCountry: from.Country, HomeAirport: home,
			rank: invented.Ranks[len(crew)%len(invented.Ranks)]}
		p.LastName, p.FirstName, p.Gender = from.Name(random)
		if taken[p.name()] {
			continue
		}
		taken[p.name()] = true
		n := len(crew) + 1
		youngest, spread := 21, 24
		switch p.rank {
		case "Master", "Chief Engineer", "Chief Officer", "Second Engineer":
			youngest, spread = 34, 26
		case "Deck Cadet":
			youngest, spread = 18, 5
		}
		p.DOB = today.AddDate(-youngest-random.IntN(spread), 0, -random.IntN(365)).Format(time.DateOnly)
		// One passport in forty expires within half a year, as in real crews.
		valid := 300 + random.IntN(8*365)
		if n%40 == 17 {
			valid = 60 + random.IntN(90)
		}
		p.DocExpire = today.AddDate(0, 0, valid).Format(time.DateOnly)
		p.DocNumber = fmt.Sprintf("%c%07d", 'P'+rune(random.IntN(6)), 1000000+random.IntN(8999999))
		p.Email = strings.ToLower(fmt.Sprintf("crew.%03d@corvina.example", n))
		p.Phone = fmt.Sprintf("+1 202 555 01%02d", n%100)
		p.ID = fmt.Sprintf("CRV-%04d", n)
		crew = append(crew, p)
	}
	return crew
}
