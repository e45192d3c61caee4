package flights

import (
	"html/template"
	"sync"
)

// writtenChoices keeps the HTML of filter choices. It depends on nothing but the
// choice, so it is the same for all readers.
type writtenChoices struct {
	render renderPart

	mu   sync.Mutex
	kept map[facetChoice]template.HTML
}

// choicesWritten is how many choices a process keeps: those of 40 searches with the
// filters that people set. Together they take less than 1 MB.
const choicesWritten = 2000

func newWrittenChoices(render renderPart) *writtenChoices {
	return &writtenChoices{render: render, kept: map[facetChoice]template.HTML{}}
}

// of returns the HTML of a choice. It does not keep a ticked choice that no offer has,
// because that can come from the address, where anybody can type anything.
func (w *writtenChoices) of(c facetChoice) (template.HTML, error) {
	w.mu.Lock()
	html, ok := w.kept[c]
	w.mu.Unlock()
	if ok {
		return html, nil
	}
	html, err := w.render("filter-choice", c)
	if err != nil || c.On && c.Count == 0 {
		return html, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for other := range w.kept {
		if len(w.kept) < choicesWritten {
			break
		}
		delete(w.kept, other)
	}
	w.kept[c] = html
	return html, nil
}

// Written returns the HTML of a filter's choice.
func (f FilterForm) Written(c facetChoice) (template.HTML, error) { return f.written.of(c) }
