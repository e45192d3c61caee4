package mapping

import (
	"slices"
	"strings"
	"unicode"

	"gangway/internal/gangway"
)

// A field is a member of our records, as the interface has it.
type field struct {
	name    string
	text    bool              // numbers are written as texts
	each    *field            // of a list: what it is a list of
	members map[string]*field // of an object: by their names, only letters and figures, in lower case
	any     *field            // of an object that has any members: what they are
	lift    func([]member) []member
	place   int // among its object's members, from 1, in the order of their names
	named   int // members of an object
}

// member returns what a member is written as, and what it is.
func (f *field) member(name string) (string, *field) {
	if m, ok := f.members[name]; ok {
		return m.name, m
	}
	if f.any != nil {
		return name, f.any
	}
	if m, ok := f.members[bare(name)]; ok {
		return m.name, m
	}
	return name, nil
}

// bare reduces a name to its letters and figures, in lower case: last_name,
// lastName and "Last name" become lastname.
func bare(name string) string {
	for i := range len(name) {
		if c := name[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') {
			var b strings.Builder
			for _, r := range gangway.Fold(name) {
				if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' ||
					r >= 0x80 && r != 'º' && r != 'ª' && unicode.IsLetter(r) {
					b.WriteRune(r)
				}
			}
			return b.String()
		}
	}
	return name
}

func object(fields ...*field) *field {
	f := &field{members: map[string]*field{}, named: len(fields)}
	slices.SortFunc(fields, func(a, b *field) int { return strings.Compare(a.name, b.name) })
	for i, m := range fields {
		m.place = i + 1
		f.members[bare(m.name)] = m
		f.members[m.name] = m
	}
	return f
}

func (f *field) called(name string) *field { f.name = name; return f }

// also adds other spellings of members.
func (f *field) also(others map[string]string) *field {
	for other, name := range others {
		f.members[other] = f.members[name]
	}
	return f
}

func texts(names string) (list []*field) {
	for name := range strings.FieldsSeq(names) {
		list = append(list, &field{name: name, text: true})
	}
	return list
}

func listOf(name string, f *field) *field { return &field{name: name, each: f} }

func anyTexts(name string) *field { return &field{name: name, any: &field{text: true}} }

const travellerNames = `last_name first_name dob nationality gender doc_country doc_number doc_expire home_airport email
	phone id`

func traveller(more ...*field) *field {
	return object(append(texts(travellerNames), more...)...).also(map[string]string{
		"docexpiredate": "doc_expire", "docexpiry": "doc_expire"})
}

func aMember() *field {
	call := func(name string) *field { return object(texts("port date")...).called(name).orText() }
	return traveller(call("arrive"), call("depart"), &field{name: "change_date", text: true}, anyTexts("metadata"),
		anyTexts("custom_fields"))
}

// orText says that a field may be a text as well as an object.
func (f *field) orText() *field { f.text = true; return f }

// shapes are our records.
//
// Spec: Resources and their fields.
var shapes = map[gangway.Flow]*field{
	gangway.TravellersFlow:      traveller(),
	gangway.TravellerLookupFlow: traveller(),
	gangway.TravelRequestsFlow:  travelRequest(),
	gangway.CrewChangesFlow: object(append(texts("vessel flag change_date travel_request_id"),
		listOf("onsigners", aMember()), listOf("offsigners", aMember()))...),
}

func travelRequest() *field {
	external := object(append(texts("requestId subRequestId"), anyTexts("additionalInfo"))...)
	traveler := object(append(texts(`id lastName firstName dob nationality gender docCountry docNumber docExpireDate
		homeAirport email phone`), anyTexts("customFields"))...).also(map[string]string{
		"docexpire": "docExpireDate", "docexpiry": "docExpireDate"})
	stop := object(texts("airport date")...).also(map[string]string{"destination": "airport"})
	flight := object(append(texts("origin destination date"), listOf("intermediateAirports", stop))...)
	hotel := object(texts("location checkIn checkOut")...)
	details := object(append(texts("rank remarks"), object(texts("name flag vehicleType")...).called("vehicle"))...)
	f := object(external.called("externalInfo"), traveler.called("traveler"), flight.called("flight"),
		hotel.called("hotel"), details.called("details")).also(map[string]string{"traveller": "traveler"})
	f.lift = func(members []member) []member { return liftExternal(members, external) }
	return f
}

// liftExternal puts the identifiers that customers' systems have at the top of a
// travel request where uploads have them.
//
// Spec: externalInfo.
func liftExternal(members []member, external *field) []member {
	var lifted map[string]any
	kept := members[:0]
	at := -1
	for _, m := range members {
		switch name := bare(m.name); {
		case name == "requestid", name == "subrequestid", name == "additionalinfo":
			if lifted == nil {
				lifted = map[string]any{}
			}
			lifted[m.name] = m.value
			continue
		case m.name == "externalInfo":
			at = len(kept)
		}
		kept = append(kept, m)
	}
	switch {
	case lifted == nil:
		return members
	case at < 0:
		return append(kept, member{name: "externalInfo", field: external, value: lifted})
	}
	inside, _ := kept[at].value.(map[string]any)
	for name, value := range inside {
		if value != nil && value != "" {
			for top := range lifted { // what stands inside goes first
				if bare(top) == bare(name) {
					delete(lifted, top)
				}
			}
			lifted[name] = value
		}
	}
	kept[at].value = lifted
	return kept
}
