package mapping

import (
	"context"
	"sync"
	"time"

	"github.com/itchyny/gojq"
)

// A machine is a program that was compiled, and the meter that bounds it, which is compiled
// into it. It runs on one document at a time. Compiling takes longer than mapping the few
// records of an answer that somebody waits for, so machines are used again.
type machine struct {
	meter     *meter
	functions map[string]function      // the helpers
	codes     [programParts]*gojq.Code // nil: not compiled yet
	born      time.Time
}

// machines are those of a program that nobody uses at the moment.
type machines struct {
	mu   sync.Mutex
	idle []*machine
	most int // of them that are kept
}

// So many machines of a program are kept, until they are so old: two-digit years are read by
// the day on which a machine was made.
const (
	mostIdle     = 2
	mostReshaped = 16 // of what leaves: as many as one outlet is served by at a time
	machineAge   = time.Hour
)

// machine returns one that nobody else uses.
func (m *Mapping) machine(ctx context.Context) *machine {
	m.machines.mu.Lock()
	defer m.machines.mu.Unlock()
	for len(m.machines.idle) > 0 {
		last := len(m.machines.idle) - 1
		found := m.machines.idle[last]
		m.machines.idle = m.machines.idle[:last]
		if age := m.now().Sub(found.born); age >= 0 && age < machineAge {
			found.meter.Context = ctx
			return found
		}
	}
	meter := newMeter(ctx, m.now)
	return &machine{meter: meter, functions: helpers(meter), born: m.now()}
}

// putBack keeps a machine for the next document. Nothing stays in it of the last one.
func (m *Mapping) putBack(used *machine) {
	used.meter.reset()
	m.machines.mu.Lock()
	defer m.machines.mu.Unlock()
	if len(m.machines.idle) < m.machines.most {
		m.machines.idle = append(m.machines.idle, used)
	}
}

// code returns the program or a part of it, ready to run.
func (c *machine) code(p *program, part programPart) (code *gojq.Code, err error) {
	if c.codes[part] == nil {
		query := [programParts]*gojq.Query{p.whole, p.each, p.head, p.tail}[part]
		c.codes[part], err = p.code(query, c.meter, c.functions)
	}
	return c.codes[part], err
}

// A programPart is what of a program is run.
type programPart int

const (
	wholeProgram programPart = iota
	eachRecord               // what it does with each record of a list
	headProgram              // what finds the records in a document that is one value
	tailProgram              // what it does with each of them
	programParts
)
