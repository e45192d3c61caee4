package web

import (
	"sync"
	"time"

	"gangway/internal/background"
)

// A Page is the memory in which a page, or a part of one, is made before it is sent and
// until its reader has received it. It takes its part of the budget as it grows; one
// client has at most half of what pages have. The beginning is free, so that there is
// always room for a page that says that there is no room.
//
// Decided: docs/choices.md, "What anybody may fill".
type Page struct {
	b      *Budget
	of     *background.Slots
	full   string // the message when there is no room for it
	client string
	html   []byte
	has    int64
	leaves []func()
}

// Page returns an empty page for client. The caller releases it once it was sent.
func (b *Budget) Page(client string) *Page {
	return &Page{b: b, of: b.pages, client: client, full: "as many pages are on their way to their readers as fit " +
		"into memory; load this one again in a moment"}
}

// ReportPage is Page for an answer of the report. Those who read such answers slowly, or stop, are in the way of other
// readers of reports alone.
func (b *Budget) ReportPage(client string) *Page {
	return &Page{b: b, of: b.reports, client: client, full: "as many answers of reports are on their way to their " +
		"readers as fit into memory; ask again in a moment"}
}

// Write is part of io.Writer.
func (p *Page) Write(q []byte) (int, error) {
	if need := len(p.html) + len(q); need > cap(p.html) {
		if err := p.makeRoom(max(need, 2*cap(p.html), beginning/4)); err != nil {
			return 0, err
		}
	}
	p.html = append(p.html, q...)
	return len(q), nil
}

// Reserve makes room for n more bytes at once, if there is room for that many. Write finds it otherwise,
// and copies what there is each time.
func (p *Page) Reserve(n int) {
	if size := len(p.html) + n; size > cap(p.html) {
		_ = p.makeRoom(size) // if there is none, Write says so
	}
}

// makeRoom moves what there is to memory of at least size bytes.
func (p *Page) makeRoom(size int) error {
	to := spare(size)
	if err := p.grow(int64(cap(to))); err != nil {
		return err
	}
	p.html = append(to, p.html...)
	return nil
}

// spares are the memory of large pages that were released, until the collector takes it: whoever reads a
// report page by page has each made where the last one was.
var spares sync.Pool // of *[]byte

// spareFrom is from how many bytes a page is large.
const spareFrom = 1 << 20

// spare returns empty memory of at least size bytes, and at most a quarter more.
func spare(size int) []byte {
	if size >= spareFrom {
		if kept, _ := spares.Get().(*[]byte); kept != nil && cap(*kept) >= size && cap(*kept) <= size+size/4 {
			return (*kept)[:0]
		}
	}
	return make([]byte, 0, size)
}

func (p *Page) grow(size int64) error {
	more := size - beginning - p.has
	if more <= 0 {
		return nil
	}
	leave, err := p.of.TryTake(p.client, more)
	if err != nil {
		return Overloaded(5*time.Second, p.full)
	}
	p.leaves = append(p.leaves, leave)
	p.has += more
	return nil
}

// Bytes returns what was written.
func (p *Page) Bytes() []byte { return p.html }

// Release gives the page's memory back.
func (p *Page) Release() {
	for _, leave := range p.leaves {
		leave()
	}
	p.b.tidier.Leave(int64(cap(p.html)))
	if kept := p.html; cap(kept) >= spareFrom {
		spares.Put(&kept)
	}
	p.html, p.has, p.leaves = nil, 0, nil
}
