package decode

import "slices"

// A Doubt is something that was found out of a document and may be wrong.
type Doubt struct {
	Message  string // a sentence; what to do about Encoding is not said
	At       Place  // of the row of a table, or of an entry of an archive; the zero Place: of all of it
	Encoding string // that was guessed; empty: it is about something else
}

// Doubts are those of a document as far as it was read.
func (d *Document) Doubts() (all []Doubt) {
	all = slices.Clone(d.guesses)
	if t, ok := d.items.(*table); ok && t.title.found > 0 {
		all = append(all, Doubt{Message: t.title.words(), At: t.title.at})
	}
	return all
}
