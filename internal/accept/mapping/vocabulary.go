package mapping

import (
	"strings"
	"sync"

	"gangway/internal/gangway"
)

// A vocabulary is what the fields of a flow's records may be called.
type vocabulary struct {
	targets map[string]string // name → where it stands in our record
	lists   map[string]string // name → which of a crew change's lists it is
	rank    map[string]int    // name → how usual it is for its target
}

func (v *vocabulary) add(table string, rename func(string) string) {
	target, n := "", 0
	for word := range strings.FieldsSeq(table) {
		if name, ok := strings.CutSuffix(word, ":"); ok {
			target, n = rename(name), 0
			own := bare(name[strings.LastIndexByte(name, '.')+1:])
			if _, taken := v.targets[own]; !taken {
				v.targets[own], v.rank[own] = target, n
			}
			continue
		}
		n++
		if _, taken := v.targets[word]; !taken {
			v.targets[word], v.rank[word] = target, n
		}
	}
}

// vocabularies has that of each flow.
var vocabularies = sync.OnceValue(func() map[gangway.Flow]*vocabulary {
	same := func(name string) string { return name }
	personNames := personNames
	for _, m := range gangway.UploadedTraveller.Members { // also those that have no other names yet
		personNames += " " + m.Name + ":"
	}
	person := newVocabulary()
	person.add(personNames, same)
	request := newVocabulary()
	request.add(requestNames, same)
	request.add(personNames, inTraveler)
	crew := newVocabulary()
	crew.add(crewNames, same)
	crew.add(personNames, same)
	lists := newVocabulary()
	lists.add(crewLists, same)
	crew.lists = lists.targets
	return map[gangway.Flow]*vocabulary{gangway.TravellersFlow: person, gangway.TravellerLookupFlow: person,
		gangway.TravelRequestsFlow: request, gangway.CrewChangesFlow: crew}
})

func newVocabulary() *vocabulary {
	return &vocabulary{targets: map[string]string{}, rank: map[string]int{}}
}

// inTraveler writes a traveller's field as travel requests have it.
func inTraveler(name string) string {
	if name == "doc_expire" {
		return "traveler.docExpireDate"
	}
	name = gangway.FieldName(name)
	return "traveler." + strings.ToLower(name[:1]) + name[1:]
}

// A valueKind says how the values of a field are normalised.
type valueKind int

const (
	plainValue valueKind = iota
	dateValue
	countryValue
	genderValue
	airportValue
)

// kindOf returns what the values of a field are.
func kindOf(target string) valueKind {
	switch target[strings.LastIndexByte(target, '.')+1:] {
	case "dob", "doc_expire", "docExpireDate", "date", "checkIn", "checkOut", "change_date", "arrive", "depart":
		return dateValue
	case "nationality", "doc_country", "docCountry", "flag":
		return countryValue
	case "gender":
		return genderValue
	case "home_airport", "homeAirport", "origin", "destination", "airport":
		return airportValue
	}
	return plainValue
}
