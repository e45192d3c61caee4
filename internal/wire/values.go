package wire

import (
	"bytes"
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

// text reads a string into to.
func (r *reader) text(field string, to *string) error {
	if r.dec.PeekKind() != '"' {
		return r.wrong(field, "must be a string")
	}
	s, err := r.word()
	if *to = strings.TrimSpace(s); isLongerThan(*to, freeText) {
		r.problems.Add(r.at.Field(field), "The %s field must have at most %d characters.", field, freeText)
	}
	return err
}

func isLongerThan(s string, most int) bool { return len(s) > most && utf8.RuneCountInString(s) > most }

// readCode reads a string into to, in upper case.
func readCode[T ~string](r *reader, field string, to *T) error {
	var s string
	err := r.text(field, &s)
	*to = T(strings.ToUpper(s))
	return err
}

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

// date reads a string into to, as it is: with spaces around it, it is not a date.
func (r *reader) date(field string, to *gangway.Date) error {
	if r.dec.PeekKind() != '"' {
		return r.wrong(field, "must be a string")
	}
	s, err := r.word()
	*to = gangway.Date(s)
	return err
}

// place reads the airport where a flight begins or ends. A sender who does not know
// it yet leaves it out; an empty string is a mistake.
func (r *reader) place(field string, to *gangway.Airport) error {
	text := r.dec.PeekKind() == '"'
	if err := readCode(r, field, to); err != nil {
		return err
	}
	if text && *to == "" {
		r.problems.Add(r.at.Field(field), "The %s field must be an airport code of three letters (IATA).", field)
	}
	return nil
}

// texts reads an object of strings.
func (r *reader) texts(field string, to *map[string]string) error {
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
		err := r.text(field+"."+name, &s)
		m[name] = s
		return err
	})
	if len(m) > 0 {
		*to = m
	}
	return err
}
