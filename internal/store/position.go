package store

import (
	"encoding/base64"
	"encoding/json"
	"strings"

	"gangway"
)

// A position is a place in a list: before or after what stands there.
type position struct {
	Stretch int   `json:"s"`
	Place   []any `json:"p"`
	Back    bool  `json:"b,omitempty"`
}

func (p position) String() string {
	text, err := json.Marshal(p)
	if err != nil { // of texts and numbers: it cannot
		return ""
	}
	return base64.RawURLEncoding.EncodeToString(text)
}

// PositionAfter returns the position behind b in the list of the newest bookings.
func PositionAfter(b gangway.Booking) string {
	return position{Place: []any{millis(b.CreatedAt), b.ID}}.String()
}

// readPosition reads a position of one of the stretches; without one, and of
// what cannot be read, the beginning.
func readPosition(text string, list []indexRange) position {
	var p position
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return position{}
	}
	dec := json.NewDecoder(strings.NewReader(string(raw)))
	dec.UseNumber()
	if dec.Decode(&p) != nil || p.Stretch < 0 || p.Stretch >= len(list) || len(p.Place) != len(list[p.Stretch].keys) {
		return position{}
	}
	for i, v := range p.Place {
		switch v := v.(type) {
		case json.Number:
			n, err := v.Int64()
			if err != nil || !list[p.Stretch].keys[i].number() {
				return position{}
			}
			p.Place[i] = n
		case string:
			if list[p.Stretch].keys[i].number() || !validText(v) {
				return position{}
			}
		default:
			return position{}
		}
	}
	return p
}

// validText reports whether PostgreSQL takes s as text.
func validText(s string) bool { return !strings.Contains(s, "\x00") }

// number reports whether the column is one of numbers.
func (k key) number() bool { return k.column == "b.created_at" }
