package wire

import (
	"bytes"
	"cmp"
	"reflect"
	"strings"
	"unicode/utf8"

	"gangway/internal/gangway"

	"github.com/go-json-experiment/json/jsontext"
)

// wrong skips the next value and notes that it is of the wrong type. A field that is
// null counts as absent; a record must not be null.
func (r *reader) wrong(field, want string) error {
	null := r.dec.PeekKind() == 'n'
	if err := r.dec.SkipValue(); err != nil {
		return err
	}
	switch {
	case field == "":
		r.problems.Add(r.at.Field(""), "The record %s.", want)
	case !null:
		r.problems.Add(r.at.Field(field), "The %s field %s.", field, want)
	}
	return nil
}

// text reads a string into v, as the member's form has it; field is its name in problems. A date is read as it is: with
// spaces around it, it is none.
func (r *reader) text(m *gangway.Member, field string, v reflect.Value) error {
	if r.dec.PeekKind() != '"' {
		return r.wrong(field, "must be a string")
	}
	s, err := r.word()
	switch m.Form {
	case gangway.Day, gangway.BirthDay:
		if len(m.Also) > 0 {
			return cmp.Or(err, r.oneOfSeveral(m, field, s, v))
		}
		v.SetString(s)
		return err
	case gangway.CountryCode, gangway.AirportCode:
		s = strings.ToUpper(s)
	}
	if s = strings.TrimSpace(s); isLongerThan(s, freeText) {
		r.problems.Add(r.at.Field(field), "The %s field must have at most %d characters.", field, freeText)
	}
	if m.Filled && s == "" && err == nil {
		r.problems.Add(r.at.Field(field), "The %s field must be an airport code of three letters (IATA).", field)
	}
	v.SetString(s)
	return err
}

// oneOfSeveral reads a date that customers send under several names, such as the passport's expiry.
func (r *reader) oneOfSeveral(m *gangway.Member, field, date string, v reflect.Value) error {
	switch before := v.String(); {
	case date == "":
		return nil
	case !gangway.Date(date).Valid():
		r.problems.Add(r.at.Field(field), "The %s field must be a calendar date written YYYY-MM-DD.", field)
		return nil
	case before != "" && date != before:
		r.problems.Add(r.at.Field(m.Field), "The %s field was sent under two names with different dates; send one of "+
			"them.", m.Field)
	}
	v.SetString(date)
	return nil
}

func isLongerThan(s string, most int) bool { return len(s) > most && utf8.RuneCountInString(s) > most }

// Recent words are kept in a small table, each in the slot that its letters give.
// It has enough slots for all names of the interface and the usual codes, and a
// look-up costs no more than allocating the word would.
const (
	wordSlots = 512
	maxWord   = 40 // bytes; longer words do not repeat
)

// word reads a string. Names and codes that most records share are allocated only once.
func (r *reader) word() (string, error) {
	quoted, err := r.dec.ReadValue()
	if err != nil {
		return "", err
	}
	text := quoted[1 : len(quoted)-1]
	if bytes.IndexByte(text, '\\') >= 0 {
		if text, err = jsontext.AppendUnquote(nil, quoted); err != nil {
			return "", err
		}
	}
	n := len(text)
	if n == 0 || n > maxWord {
		return string(text), nil
	}
	kept := &r.words[(uint(n)+uint(text[0])*31+uint(text[n/2])*131+uint(text[n-1])*517)%wordSlots]
	if *kept != string(text) {
		*kept = string(text)
	}
	return *kept, nil
}

var entry = gangway.Member{Form: gangway.FreeText}

// texts reads an object of strings.
func (r *reader) texts(field string, to reflect.Value) error {
	m := map[string]string{}
	_, err := r.object(field, func(name string) error {
		switch {
		case isLongerThan(name, entryName):
			r.problems.Add(r.at.Field(field), "The %s field must not have names of more than %d characters.", field,
				entryName)
			return r.dec.SkipValue()
		case len(m) == entries:
			r.problems.Add(r.at.Field(field), "The %s field must have at most %d entries.", field, entries)
			return r.dec.SkipValue()
		}
		var s string
		err := r.text(&entry, field+"."+name, reflect.ValueOf(&s).Elem())
		m[name] = s
		return err
	})
	if len(m) > 0 {
		to.Set(reflect.ValueOf(m))
	}
	return err
}
