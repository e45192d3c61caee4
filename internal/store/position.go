package store

import (
	"encoding/base64"
	"encoding/json"
	"strings"
)

// A position is a place in a list: before or after a given row.
type position struct {
	Range int   `json:"s"`
	Place []any `json:"p"`
	Back  bool  `json:"b,omitempty"`
}

func (p position) String() string {
	text, err := json.Marshal(p)
	if err != nil { // cannot happen with texts and numbers
		return ""
	}
	return base64.RawURLEncoding.EncodeToString(text)
}

// readPosition reads a position in one of the ranges; an empty or unreadable
// one is the beginning.
func readPosition(text string, list []indexRange) position {
	var p position
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return position{}
	}
	dec := json.NewDecoder(strings.NewReader(string(raw)))
	dec.UseNumber()
	if dec.Decode(&p) != nil || p.Range < 0 || p.Range >= len(list) || len(p.Place) != len(list[p.Range].keys) {
		return position{}
	}
	for i, v := range p.Place {
		switch v := v.(type) {
		case json.Number:
			n, err := v.Int64()
			if err != nil || !list[p.Range].keys[i].number() {
				return position{}
			}
			p.Place[i] = n
		case string:
			if list[p.Range].keys[i].number() || !validText(v) {
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

// number reports whether the column holds numbers.
func (k key) number() bool { return k.column == "b.created_at" }
