package wire

import (
	"iter"
	"reflect"
	"slices"

	"gangway/internal/gangway"

	"github.com/go-json-experiment/json/jsontext"
)

// Travellers reads values as traveller records, one by one. Each record and its Reading are valid until the next is
// read.
//
// Spec: Traveller record.
func Travellers(values iter.Seq2[int, jsontext.Value]) iter.Seq2[*gangway.Traveller, *Reading] {
	return records[gangway.Traveller](values, gangway.MembersOf(gangway.TravellersFlow))
}

// TravelRequests reads values as travel request records, as Travellers does.
//
// Spec: Travel request record.
func TravelRequests(values iter.Seq2[int, jsontext.Value]) iter.Seq2[*gangway.TravelRequest, *Reading] {
	return records[gangway.TravelRequest](values, gangway.MembersOf(gangway.TravelRequestsFlow))
}

// CrewChanges reads values as crew change records, as Travellers does.
//
// Spec: Crew change record.
func CrewChanges(values iter.Seq2[int, jsontext.Value]) iter.Seq2[*gangway.CrewChange, *Reading] {
	return records[gangway.CrewChange](values, gangway.MembersOf(gangway.CrewChangesFlow))
}

// record reads a record into v. checkable reports whether all required objects are there.
func (r *reader) record(list gangway.Members, v reflect.Value) (checkable bool, err error) {
	r.sections = r.sections[:0]
	there, err := r.members(list, v, "")
	r.takeUnknown(v)
	if !there || err != nil {
		return false, err
	}
	checkable = true
	for i := range list {
		m := &list[i]
		if m.Form != gangway.Object || m.Needed == gangway.Optional || slices.Contains(r.sections, m) {
			continue
		}
		checkable = false
		if path := r.at.Field(m.Field); !r.problems.Has(path) {
			r.problems.Add(path, "The %s field is required.", m.Field)
		}
	}
	return checkable, nil
}

// members reads an object into v. What list does not name is kept under within and its name.
func (r *reader) members(list gangway.Members, v reflect.Value, within string) (there bool, err error) {
	return r.object("", func(name string) error {
		m := list.Named(name)
		if m == nil {
			return r.keepUnknown(within + name)
		}
		field := m.Field
		if name != m.Name {
			field = gangway.FieldName(name)
		}
		switch m.Form {
		case gangway.Entries:
			return r.texts(field, m.In(v))
		case gangway.Object:
			return r.section(m, m.In(v), within)
		case gangway.List:
			return r.items(m, m.In(v), within)
		case gangway.DayAtPort:
			return r.dayAtPort(m, m.In(v))
		}
		return r.text(m, field, m.In(v))
	})
}

// section reads an object in a record, which begins the paths of its fields.
func (r *reader) section(m *gangway.Member, v reflect.Value, within string) error {
	if r.dec.PeekKind() != '{' {
		return r.wrong(m.Field, "must be an object")
	}
	if v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}
	r.sections = append(r.sections, m)
	outer := r.at
	r.at = outer.Inside(m.Field, 0)
	_, err := r.members(m.Members, v, within+m.Name+".")
	r.at = outer
	return err
}

// items reads a list of objects. Those that keep what the interface does not name keep it themselves, and not the
// record.
func (r *reader) items(m *gangway.Member, v reflect.Value, within string) error {
	outer, extra, names := r.at, r.extra, r.names
	_, own := v.Type().Elem().FieldByName(unnamed)
	if within += m.Name + "."; own {
		r.extra, r.names, within = nil, nil, ""
	}
	err := r.list(m.Field, m.Most, func(i int) error {
		v.Grow(1)
		v.SetLen(i + 1)
		v.Index(i).SetZero()
		r.at = outer.Inside(m.Field, i+1)
		_, err := r.members(m.Members, v.Index(i), within)
		if own {
			r.takeUnknown(v.Index(i))
		}
		return err
	})
	if r.at = outer; own {
		r.extra, r.names = extra, names
	}
	return err
}

// dayAtPort reads a date, or the form {"port": "SIN", "date": "2026-12-01"} that some customers send.
//
// Decided: docs/choices.md, "Uploads".
func (r *reader) dayAtPort(m *gangway.Member, v reflect.Value) error {
	if r.dec.PeekKind() != '{' {
		date := m.Members.Named("date")
		return r.text(date, m.Field, date.In(v))
	}
	_, err := r.object(m.Field, func(name string) error {
		if part := m.Members.Named(name); part != nil {
			return r.text(part, m.Field+"."+part.Field, part.In(v))
		}
		return r.keepUnknown(m.Field + "." + name)
	})
	return err
}
