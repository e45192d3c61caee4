package decode

import "fmt"

// A Doubt is something that was found out of a document and may be wrong.
type Doubt struct {
	Message string // a sentence that says what to set in the feed's format
	At      Place  // of the row of a table; the zero Place: of all of it
}

// Doubts are those of a document as far as it was read.
func (d *Document) Doubts() (all []Doubt) {
	if d.instead != "" {
		as := fmt.Sprintf("Its letters were taken for %s", d.Format.Encoding)
		if d.instead != otherLetters {
			as += ", and may be " + d.instead
		}
		all = append(all, Doubt{Message: as + `: if names look wrong, set "encoding" in the feed's format.`})
	}
	if t, ok := d.items.(*table); ok && t.title.found > 0 {
		all = append(all, Doubt{t.title.words(), t.title.at})
	}
	return all
}
