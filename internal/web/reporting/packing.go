package reporting

import (
	"context"
	"runtime"
	"sync"

	"gangway/internal/store"
	"gangway/internal/web"

	"github.com/klauspost/compress/gzip"
)

// A packing compresses the body of an answer while the rest of it is still being read from the database.
// Most of what a page costs is its compression, and where a processor is free, nobody waits for it.
type packing struct {
	page  *web.Page // what was compressed
	db    *store.DB // what is written there goes first
	given int       // how much of the body was handed over
	parts chan []byte
	ended sync.WaitGroup
	err   error
}

const (
	packAtOnce = 32 << 10 // bytes that are handed over together
	partsAhead = 512      // how many of those may wait; behind that they become longer
)

// follow hands over what of the body has not been yet, if it is enough to begin with. Of what was handed
// over nothing may change.
func (p *packing) follow(body []byte) {
	if p == nil || len(body)-p.given < packAtOnce {
		return
	}
	p.begin()
	select {
	case p.parts <- body[p.given:]:
		p.given = len(body)
	default:
	}
}

func (p *packing) begin() {
	if p.parts == nil {
		p.parts = make(chan []byte, partsAhead)
		p.ended.Go(p.pack)
	}
}

func (p *packing) pack() {
	z := web.Packers.Get().(*gzip.Writer)
	defer web.Packers.Put(z)
	z.Reset(p.page)
	way := p.db.GivingWay()
	for part := range p.parts {
		if p.err == nil {
			_, p.err = z.Write(part)
		}
		way.Give(context.Background())
		runtime.Gosched()
	}
	if p.err == nil {
		p.err = z.Close()
	}
}

// all returns the whole body compressed.
func (p *packing) all(body []byte) ([]byte, error) {
	p.begin()
	if len(body) > p.given {
		p.parts <- body[p.given:]
		p.given = len(body)
	}
	p.end()
	return p.page.Bytes(), p.err
}

// end ends the compression, however far it is.
func (p *packing) end() {
	if p.parts != nil {
		close(p.parts)
		p.ended.Wait()
		p.parts = nil
	}
}

// release gives the memory back, of an answer that is not sent too.
func (p *packing) release() {
	if p != nil {
		p.end()
		p.page.Release()
	}
}
