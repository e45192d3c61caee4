package mapping

import (
	"errors"
	"strings"

	"gangway/internal/accept/decode"
)

// A single letter for a gender means one thing in one language and the opposite in
// the next: M is masculino, male, männlich, and in Spanish mujer, a woman, wherever
// men are H (hombre) or V (varón). What else the same column says tells which it is.
//
// Decided: docs/choices.md, "Mappings".
type genderLetters struct {
	hombre, varon, m, f bool // seen in the column
	spanish             bool // other columns have Spanish names
}

// unclearM is what becomes of an M that may be either. The check leaves it out of
// the record and quotes it.
const unclearM = "M (mujer or masculino)"

// read returns the gender that a text says.
func (g *genderLetters) read(text string, words helper) string {
	letter := strings.ToUpper(strings.Trim(text, " ."))
	g.hombre = g.hombre || letter == "H"
	g.varon = g.varon || letter == "V"
	g.m = g.m || letter == "M"
	g.f = g.f || letter == "F"
	men := g.hombre || g.varon
	switch letter {
	case "H", "V":
		if g.m || g.f || g.spanish {
			return "M"
		}
	case "M":
		switch {
		case men && g.f, !men && !g.f && g.spanish:
			return unclearM
		case men:
			return "F"
		}
	}
	gender, _ := words(text)
	return gender
}

// spanishNames are parts of names of columns that only Spanish has.
var spanishNames = []string{"apellido", "nombre", "nacimiento", "pasaporte", "fecha", "buque"}

// name notes what a column is called.
func (g *genderLetters) name(bare string) {
	for _, part := range spanishNames {
		g.spanish = g.spanish || strings.Contains(bare, part)
	}
}

// So many records are looked at before the first is mapped, or as many as take so
// many bytes: a column's letters are seldom all in its first row.
const (
	mostAhead      = 500
	mostBytesAhead = 1 << 20
)

// A readAhead is an item, or the error, that was read before it was asked for.
type readAhead struct {
	item decode.Item
	err  error
}

// lookAhead is next, but that it reads the first records before it returns one of them, and has learn look at each.
func lookAhead(next func() (decode.Item, error), learn func(decode.Item)) func() (decode.Item, error) {
	var list []readAhead
	looked := false
	return func() (decode.Item, error) {
		for spent := 0; !looked && len(list) < mostAhead && spent < mostBytesAhead; {
			item, err := next()
			list = append(list, readAhead{item, err})
			if err != nil && !errors.As(err, new(*decode.RecordError)) {
				break
			}
			if err == nil {
				learn(item)
			}
			spent += weigh(item.Value, mostBytesAhead, 0)
		}
		if looked = true; len(list) == 0 {
			return next()
		}
		first := list[0]
		list[0] = readAhead{}
		list = list[1:]
		return first.item, first.err
	}
}
