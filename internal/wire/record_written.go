package wire

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"gangway/internal/gangway"

	"github.com/go-json-experiment/json/jsontext"
)

// Traveller writes a traveller record in the interface's spelling, and the source
// of the stored record where it is known.
//
// Spec: Traveller record.
func Traveller(t gangway.Traveller, from gangway.Source) jsontext.Value {
	return written(gangway.TravellersFlow, &t, t.Extra, from)
}

// TravelRequest writes a travel request record, as Traveller does.
//
// Spec: Travel request record.
func TravelRequest(r gangway.TravelRequest, from gangway.Source) jsontext.Value {
	return written(gangway.TravelRequestsFlow, &r, r.Extra, from)
}

// CrewChange writes a crew change record, as Traveller does.
//
// Spec: Crew change record.
func CrewChange(c gangway.CrewChange) jsontext.Value {
	return written(gangway.CrewChangesFlow, &c, c.Extra, c.Origin.Source)
}

func written(flow gangway.Flow, record any, extra json.RawMessage, from gangway.Source) jsontext.Value {
	w := newObject()
	w.text("source", string(from))
	w.members(gangway.MembersOf(flow), reflect.ValueOf(record).Elem(), extra, "")
	return w.end()
}

// members writes the members of v, and from extra those that the interface does not name and that stood in section:
// without one, those that stood in none.
func (o *object) members(list gangway.Members, v reflect.Value, extra json.RawMessage, section string) {
	for i := range list {
		m := &list[i]
		switch value := m.In(v); m.Form {
		case gangway.Entries:
			if value.Len() > 0 {
				o.value(m.Name, value.Interface())
			}
		case gangway.Object:
			inner := newObject()
			if value = reflect.Indirect(value); value.IsValid() {
				inner.members(m.Members, value, extra, section+m.Name+".")
			}
			if !inner.empty() {
				o.member(m.Name, inner.end())
			}
		case gangway.List:
			o.items(m, value, section)
		case gangway.DayAtPort:
			date, call := m.Members.Named("date").In(value).String(), newObject()
			if call.members(m.Members, value, nil, ""); m.Members.Named("port").In(value).String() == "" {
				o.text(m.Name, date)
			} else {
				o.member(m.Name, call.end())
			}
		default:
			o.text(m.Name, value.String())
		}
	}
	for _, m := range objectMembers(jsontext.Value(extra)) {
		if name, inside := strings.CutPrefix(m.name, section); inside && !stoodIn(list, name) {
			o.member(name, m.value)
		}
	}
}

// items writes a list of objects. The people of a crew change are written even where there are none.
func (o *object) items(m *gangway.Member, list reflect.Value, section string) {
	items := []jsontext.Value{}
	for i := range list.Len() {
		w, item := newObject(), list.Index(i)
		var extra json.RawMessage
		if own := item.FieldByName(unnamed); own.IsValid() {
			extra = own.Bytes()
		}
		w.members(m.Members, item, extra, "")
		items = append(items, w.end())
	}
	if section == "" || len(items) > 0 {
		o.value(m.Name, items)
	}
}

// stoodIn reports whether a member that the interface does not name stood in one of the objects of list.
func stoodIn(list gangway.Members, name string) bool {
	return slices.ContainsFunc(list, func(m gangway.Member) bool {
		return m.Form == gangway.Object && strings.HasPrefix(name, m.Name+".")
	})
}
