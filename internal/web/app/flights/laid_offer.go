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

// A laidOffer is an offer as lists lay it out for a member of a search: that
// takes most of the time that their pages take. Nothing in it is of whoever
// looks, of what is chosen or of the time of day: a page puts that beside it.
type laidOffer struct {
	row   func() OfferRow
	parts func() (offerParts, error)
	strip func() (template.HTML, error) // the flights alone, as the crew table shows them
	gone  runtime.Cleanup               // what happens when the offer itself is let go

	render  renderPart
	mu      sync.Mutex
	as      buttonsAs // how the buttons were written last
	buttons template.HTML
	takenAs takenAs // and how it all was
	taken   taken
}

// takenFor returns the offer apart from its parts, written once for all to whom it is the same.
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

// A buttonsAs is all that the buttons that hold an offer depend on beside the
// offer itself. For hours it is the same for all who look.
type buttonsAs struct {
	IssuesAt time.Time // when it would be issued automatically; zero: it would not
	Auto     bool      // the account's policy says so
	Primary  bool      // they are what the page is for
}

// buttonsFor returns the buttons that hold the offer, written once for all to whom
// they say the same.
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

// offerParts is what stands of an offer in a list, written once for all who look
// at it. What is pressed, chosen or filled in stands between the parts.
type offerParts struct {
	Head  template.HTML // closed: the flights
	Facts template.HTML // closed: time to spare, baggage, rules, emissions and price
	Body  template.HTML // opened: the flights and rules
	Price template.HTML // opened: what the price is made of
}

// offersLaid is how many offers a process keeps laid out: the lists of 75
// travellers, as they begin.
const offersLaid = 3000

// A choicePointer stands for one offer as it was weighed for one member of one
// account's search, and does not keep it in memory. What is weighed is never
// changed afterwards; what is weighed anew has another pointer, for ever.
type choicePointer = weak.Pointer[plan.Choice]

// laidOffers keeps offers as lists laid them out, each for as long as its search
// keeps it.
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

// of returns how c is laid out; whoever is the first to look has it laid out.
func (l *laidOffers) of(c *plan.Choice, layOut func() OfferRow) *laidOffer {
	o := l.keep(c, layOut)
	o.row() // now: until then layOut keeps c in memory
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

// dropAny makes room for one: where lists are read from end to end again and
// again, any is a better one to drop than the oldest.
func (l *laidOffers) dropAny() {
	for key, o := range l.kept {
		o.gone.Stop()
		delete(l.kept, key)
		return
	}
}

// drop lets go of how an offer is laid out that is itself no longer kept.
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
