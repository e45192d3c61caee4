package flights

import (
	"html/template"
	"sync"
)

// writtenChoices keeps the choices of filters as pages write them. What is written
// depends on nothing but the choice itself: it is the same for all who look.
type writtenChoices struct {
	render renderPart

	mu   sync.Mutex
	kept map[facetChoice]template.HTML
}

// choicesWritten is how many choices a process keeps: those of 40 searches and of how
// people filter them. Together they take less than 1 MB.
const choicesWritten = 2000

func newWrittenChoices(render renderPart) *writtenChoices {
	return &writtenChoices{render: render, kept: map[facetChoice]template.HTML{}}
}

// of returns a choice as it is written. One that is ticked and that no offer has is not
// kept: it can come from the address, where anybody can type anything.
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

// Written returns a choice of a filter as the page shows it.
func (f FilterForm) Written(c facetChoice) (template.HTML, error) { return f.written.of(c) }
