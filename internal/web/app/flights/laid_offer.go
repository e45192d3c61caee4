package flights

import (
	"bytes"
	"html/template"
	"runtime"
	"sync"
	"time"
	"weak"

	"gangway/internal/book/plan"
)

// A laidOffer is an offer as lists lay it out for a member of a search, which takes
// most of the time of their pages. Nothing in it depends on the reader, on what is
// chosen or on the time of day; a page puts that beside it.
type laidOffer struct {
	row   func() OfferRow
	parts func() (offerParts, error)
	strip func() (template.HTML, error) // the flights alone, as the crew table shows them
	gone  runtime.Cleanup               // runs when the offer itself is no longer in memory

	render  renderPart
	mu      sync.Mutex
	as      buttonsAs // what the buttons were last written for
	buttons template.HTML
	takenAs takenAs // what all of it was last written for
	taken   taken
}

// takenFor returns the offer without its parts, written once for all readers for whom it is the same.
func (o *laidOffer) takenFor(as takenAs, write func() (taken, error)) (taken, error) {
	o.mu.Lock()
	kept, same := o.taken, o.takenAs == as
	o.mu.Unlock()
	if same && kept != nil {
		return kept, nil
	}
	taken, err := write()
	if err != nil {
		return nil, err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.takenAs, o.taken = as, taken
	return taken, nil
}

// A renderPart writes a named part of the page of results.
type renderPart func(part string, dot any) (template.HTML, error)

// A buttonsAs is everything besides the offer that the buttons to hold it depend on.
// For hours it is the same for all readers.
type buttonsAs struct {
	IssuesAt time.Time // when it would be issued automatically; zero: it would not
	Auto     bool      // the account's policy says so
	Primary  bool      // holding is the main action of the page
}

// buttonsFor returns the buttons that hold the offer, written once for all readers to
// whom they say the same.
func (o *laidOffer) buttonsFor(as buttonsAs) (template.HTML, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.buttons != "" && o.as == as {
		return o.buttons, nil
	}
	row := o.row()
	html, err := o.render("hold-buttons", map[string]any{
		"Price": row.Price.Total, "TicketBy": row.TicketBy, "PriceUntil": row.PriceUntil,
		"At": as.IssuesAt, "Auto": as.Auto, "Primary": as.Primary,
	})
	if err != nil {
		return "", err
	}
	o.as, o.buttons = as, html
	return html, nil
}

// offerParts is the HTML of an offer in a list, written once for all readers. Buttons,
// choices and fields stand between the parts.
type offerParts struct {
	Head  template.HTML // closed: the flights
	Facts template.HTML // closed: time to spare, baggage, rules, emissions and price
	Body  template.HTML // opened: the flights and rules
	Price template.HTML // opened: the parts of the price
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
	row := sync.OnceValue(layOut)
	o := &laidOffer{
		row: row, render: l.render, parts: sync.OnceValues(func() (offerParts, error) { return l.write(row()) }),
		strip: sync.OnceValues(func() (template.HTML, error) { return l.render("strip", row().Strip) }),
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

func (l *laidOffers) write(row OfferRow) (p offerParts, err error) {
	for _, part := range []struct {
		name string
		to   *template.HTML
	}{{"offer-head", &p.Head}, {"offer-facts", &p.Facts}, {"offer-body", &p.Body}, {"offer-price", &p.Price}} {
		if *part.to, err = l.render(part.name, row); err != nil {
			return offerParts{}, err
		}
	}
	return p, nil
}
