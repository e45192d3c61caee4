package flights

import (
	"bytes"
	"crypto/rand"
	"html/template"
	"runtime"
	"strings"
	"sync"
	"weak"

	"gangway/internal/book/plan"
)

// A laidOffer is an offer as lists lay it out for a member of a search, which takes
// most of the time of their pages. Nothing in it depends on the reader, on what is
// chosen or on the time of day; a page puts that beside it.
type laidOffer struct {
	row  func() *OfferRow
	fare func() (template.HTML, error) // its fare, as the flight's row shows it
	gone runtime.Cleanup               // runs when the offer itself is no longer in memory

	render renderPart
	mu     sync.Mutex
	as     columns // what the cells were last written for
	cells  []string
}

// A renderPart writes a named part of the page of results.
type renderPart func(part string, dot any) (template.HTML, error)

// mark takes the place of a link in what is written once for all readers. Customers' data cannot contain it, because
// nobody knows it.
var mark = rand.Text()

// cellsFor returns the cells of the flight's row before those of its fares, cut where the link goes that opens it, and
// the words in what it stands out.
func (o *laidOffer) cellsFor(as columns) ([]string, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.cells != nil && o.as == as {
		return o.cells, nil
	}
	html, err := o.render("flight-cells", map[string]any{"O": o.row(), "As": as, "Link": template.HTMLAttr(mark),
		"Marks": template.HTML(mark)})
	if err != nil {
		return nil, err
	}
	o.as, o.cells = as, strings.Split(string(html), mark)
	return o.cells, nil
}

// offersLaid is how many offers a process keeps laid out: the first page of the lists
// of 75 travellers.
const offersLaid = 3000

// A choicePointer identifies one offer as it was weighed for one member of one
// account's search, without keeping it in memory. A weighed offer never changes; when
// it is weighed again, it has another pointer.
type choicePointer = weak.Pointer[plan.Choice]

// laidOffers keeps laid-out offers, each for as long as its search keeps the offer.
type laidOffers struct {
	render  renderPart
	choices *writtenChoices // of the filters beside them

	mu   sync.Mutex
	kept map[choicePointer]*laidOffer
}

func (room *Room) newLaidOffers() *laidOffers {
	render := func(part string, dot any) (template.HTML, error) {
		var out bytes.Buffer
		err := room.Part(&out, "results", part, dot)
		return template.HTML(out.String()), err
	}
	return &laidOffers{kept: map[choicePointer]*laidOffer{}, render: render, choices: newWrittenChoices(render)}
}

// of returns the laid-out c. The first reader has it laid out.
func (l *laidOffers) of(c *plan.Choice, layOut func() OfferRow) *laidOffer {
	o := l.keep(c, layOut)
	o.row() // at once, because layOut keeps c in memory until then
	return o
}

func (l *laidOffers) keep(c *plan.Choice, layOut func() OfferRow) *laidOffer {
	key := weak.Make(c)
	l.mu.Lock()
	defer l.mu.Unlock()
	if o := l.kept[key]; o != nil {
		return o
	}
	if len(l.kept) >= offersLaid {
		l.dropAny()
	}
	row := sync.OnceValue(func() *OfferRow { row := layOut(); return &row })
	o := &laidOffer{
		row: row, render: l.render,
		fare: sync.OnceValues(func() (template.HTML, error) { return l.render("fare", row()) }),
	}
	o.gone = runtime.AddCleanup(c, l.drop, key)
	l.kept[key] = o
	return o
}

// dropAny makes room for one. Where lists are read from end to end over and over, a
// random one is a better choice than the oldest.
func (l *laidOffers) dropAny() {
	for key, o := range l.kept {
		o.gone.Stop()
		delete(l.kept, key)
		return
	}
}

// drop forgets the layout of an offer that is itself no longer kept.
func (l *laidOffers) drop(key choicePointer) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.kept, key)
}
