package mapping

import (
	"context"
	"errors"
	"io"
	"strconv"
	"strings"

	"gangway"
	"gangway/internal/accept/decode"
)

// natural reads records in our own shape that are written in another format.
//
// Decided: docs/choices.md, "Mappings".
type natural struct {
	ctx   context.Context
	flow  gangway.Flow
	doc   Items
	xml   bool
	list  []any       // of a document that is one value
	item  decode.Item // of it
	begun bool
	rows  *crewRows // of a table of crew changes
	ahead []held
}

// held is an item that was read ahead.
type held struct {
	item decode.Item
	err  error
}

func newNatural(ctx context.Context, flow gangway.Flow, doc Items) *natural {
	n := &natural{ctx: ctx, flow: flow, doc: doc}
	if d, ok := doc.(*decode.Document); ok {
		_, n.xml = d.Elements()
	}
	return n
}

func (n *natural) next() (outcome, error) {
	if n.rows != nil {
		return n.rows.next()
	}
	item, err := n.nextItem()
	if err != nil {
		return outcome{at: item.At}, err
	}
	value := item.Value
	if n.xml {
		if value = insideOf(value); value == "" {
			value = map[string]any{}
		}
		value = plainXML(value)
	}
	record, ok := value.(map[string]any)
	if !ok {
		return outcome{value: value, at: item.At}, nil
	}
	if n.flow == gangway.CrewChangesFlow && isCrewRow(record) {
		n.rows = newCrewRows(n.ctx, &replayed{first: &held{item: item}, then: n}, nil)
		return n.rows.next()
	}
	if item.Names() != nil || tabular(record) {
		value = nested(record, n.flow)
	}
	return outcome{value: value, at: item.At, fields: nil}, nil
}

// nextItem returns the next record of the document.
func (n *natural) nextItem() (decode.Item, error) {
	if n.doc.List() {
		return n.doc.Next()
	}
	if !n.begun {
		n.begun = true
		item, err := n.doc.Next()
		if err != nil {
			return item, err
		}
		list, ok := item.Value.([]any)
		if !ok {
			return decode.Item{}, &decode.BrokenError{Why: errNoList}
		}
		n.list, n.item = list, item
	}
	if len(n.list) == 0 {
		return decode.Item{}, io.EOF
	}
	value := n.list[0]
	n.list = n.list[1:]
	return decode.Item{Value: value, At: n.item.At}, nil
}

var errNoList = errors.New("it is no list of records")

// insideOf returns what is in the only member of an object.
func insideOf(value any) any {
	if o, ok := value.(map[string]any); ok && len(o) == 1 {
		for _, inside := range o {
			return inside
		}
	}
	return value
}

// plainXML removes what only XML has: prefixes of names, declarations of
// namespaces, and the marks of attributes.
func plainXML(value any) any {
	switch v := value.(type) {
	case []any:
		for i := range v {
			v[i] = plainXML(v[i])
		}
	case map[string]any:
		plain := make(map[string]any, len(v))
		for name, inside := range v {
			if strings.HasPrefix(name, "@xmlns") || strings.HasPrefix(name, "@xsi:") {
				continue
			}
			plain[plainName(name)] = plainXML(inside)
		}
		if len(plain) == 0 {
			return ""
		}
		if text, ok := plain["text"]; ok && len(plain) == 1 {
			return text
		}
		return plain
	}
	return value
}

// plainName is a name without a prefix: "crew:LastName" and "@LastName" become "LastName".
func plainName(name string) string {
	name = strings.TrimLeft(name, "@#")
	return name[strings.LastIndexByte(name, ':')+1:]
}

// tabular reports whether a record has nothing but texts: a row of a table.
func tabular(record map[string]any) bool {
	for _, value := range record {
		if _, text := value.(string); !text {
			return false
		}
	}
	return len(record) > 0
}

// nested makes of the columns of a table the parts of a record: "flight.origin"
// is origin in flight, and so is "origin" where only one part has it.
func nested(row map[string]any, flow gangway.Flow) map[string]any {
	shape := shapes[flow]
	record := make(map[string]any, len(row))
	for name, value := range row {
		if name == "_sheet" || value == "" {
			continue
		}
		path := pathIn(shape, name, flow)
		if !put(record, path, value) {
			record[name] = value
		}
	}
	return record
}

// pathIn returns where a column's value stands in a record.
func pathIn(shape *field, name string, flow gangway.Flow) []string {
	if strings.ContainsAny(name, ".[") {
		return strings.FieldsFunc(name, func(r rune) bool { return r == '.' || r == '[' || r == ']' })
	}
	if flow != gangway.TravelRequestsFlow || shape.members[name] != nil {
		return []string{name}
	}
	if path, ok := requestColumns[name]; ok {
		return strings.Split(path, ".")
	}
	return []string{name}
}

// requestColumns are the columns that a table of travel requests may have, beside
// the paths themselves, and where their values stand.
var requestColumns = map[string]string{
	"requestId": "externalInfo.requestId", "subRequestId": "externalInfo.subRequestId", "id": "traveler.id",
	"lastName": "traveler.lastName", "firstName": "traveler.firstName", "dob": "traveler.dob",
	"nationality": "traveler.nationality", "gender": "traveler.gender", "docCountry": "traveler.docCountry",
	"docNumber": "traveler.docNumber", "docExpireDate": "traveler.docExpireDate", "docExpire": "traveler.docExpire",
	"doc_expire": "traveler.doc_expire", "homeAirport": "traveler.homeAirport", "email": "traveler.email",
	"phone": "traveler.phone", "origin": "flight.origin", "destination": "flight.destination", "date": "flight.date",
	"location": "hotel.location", "checkIn": "hotel.checkIn", "checkOut": "hotel.checkOut", "rank": "details.rank",
	"remarks": "details.remarks", "vehicle": "details.vehicle.name", "vehicleType": "details.vehicle.vehicleType",
	"flag": "details.vehicle.flag",
}

// mostInPath is the place in a list that a column may name.
const mostInPath = 50

// put puts a value at a path in an object, and reports false where there is another one.
func put(into map[string]any, path []string, value any) bool {
	name := path[0]
	if len(path) == 1 {
		if _, taken := into[name]; taken {
			return false
		}
		into[name] = value
		return true
	}
	at, err := strconv.Atoi(path[1])
	if err != nil {
		inside, ok := into[name].(map[string]any)
		if !ok {
			if _, taken := into[name]; taken {
				return false
			}
			inside = map[string]any{}
			into[name] = inside
		}
		return put(inside, path[1:], value)
	}
	list, ok := into[name].([]any)
	if _, taken := into[name]; taken && !ok || at < 0 || at >= mostInPath || len(path) < 3 {
		return false
	}
	for len(list) <= at {
		list = append(list, map[string]any{})
	}
	into[name] = list
	return put(list[at].(map[string]any), path[2:], value)
}

// replayed gives an item that was read ahead once more, and then the others.
type replayed struct {
	first *held
	then  *natural
}

func (r *replayed) List() bool { return true }

func (r *replayed) Next() (decode.Item, error) {
	if r.first != nil {
		item := r.first.item
		r.first = nil
		return item, nil
	}
	return r.then.nextItem()
}
