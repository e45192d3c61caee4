package mapping

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// What a program may take. Programs of real mappings take a ten-thousandth of it.
//
// Decided: docs/choices.md, "Mappings".
const (
	mostTime      = 2 * time.Second // for one record of a list
	mostTimeWhole = 20 * time.Second
	mostTimeList  = 10 * time.Second // for all records of a list, and for each of them perRecord
	perRecord     = time.Millisecond
	mostWhole     = 64 << 20 // bytes of memory of a list that a program needs all of
	mostValue     = 64 << 20 // bytes of memory of a value within a program
	mostGrowth    = 80 << 20 // bytes of memory that a program takes in all
	lightGrowth   = 16 << 20 // bytes of memory that it takes beside others; then they take turns
	mostOutput    = 32 << 20 // bytes of one record, as accept takes them
	mostOutputs   = 10_000   // of one record of a list
	mostNested    = 1_000    // values within each other

	lookEvery     = 1 << 20 // instructions
	lookEachBytes = 8 << 20 // or bytes that values took
	clockEvery    = 1 << 10 // instructions

	// A run for an outlet is bounded by what it does, so that it ends alike however busy the machine is: so many
	// instructions, and as one more counts what takes as long in one. It takes a share of the processors before it
	// goes beyond what nearly all need. Where it does not end in time all the same, the next may.
	mostWork    = 20_000_000
	lightWork   = 1 << 14
	bytesPer    = 64 // of values that are made
	comparesPer = 16
	mostShaping = 10 * time.Second
)

var (
	errTime    = errors.New("the program takes too long")
	errMemory  = errors.New("the program takes too much memory")
	errNested  = fmt.Errorf("a value has become nested more than %d deep", mostNested)
	errWhole   = errors.New("the program needs all records at once, and they take more than 64 MB: begin it with .[]")
	errOutputs = fmt.Errorf("the program makes more than %d records of one", mostOutputs)
	errNumber  = errors.New("a number has too many digits")
	errIndex   = errors.New("a list would become too long")
)

// A meter is the context in which a program runs. The interpreter asks it before
// each instruction whether to go on, which is how time and memory are bounded:
// nothing else in the interpreter bounds them.
type meter struct {
	context.Context
	now     func() time.Time // by which two-digit years are read
	most    time.Duration
	began   time.Time     // of a run that takes longer than nearly all do
	spent   time.Duration // by all runs that took longer
	steps   int
	charged int64    // bytes that values took since the memory was looked at
	rest    uint64   // bytes in use when it was first looked at
	err     error    // why the program was stopped
	turn    *turn    // nil: it has not taken much so far
	forget  []func() // what helpers remember

	mostWork int // 0: time alone bounds it
	work     int // besides steps
	share    Share
	leave    func() // nil: it has no share so far
}

// A Share waits until a program may take more than nearly all do; leave is called when it has ended.
type Share func(context.Context) (leave func(), err error)

var stopped = func() <-chan struct{} { c := make(chan struct{}); close(c); return c }()

func newMeter(ctx context.Context, now func() time.Time) *meter {
	return &meter{Context: ctx, now: now}
}

// reset makes m as if nothing had run.
func (m *meter) reset() {
	m.stop()
	m.Context, m.spent, m.mostWork, m.share = context.Background(), 0, 0, nil
	m.start(0)
	for _, forget := range m.forget {
		forget()
	}
}

// start begins a run of the program.
func (m *meter) start(most time.Duration) {
	m.steps, m.work, m.charged, m.rest, m.err = 0, 0, 0, 0, nil
	m.most, m.began = most, time.Time{}
}

// stop ends a run.
func (m *meter) stop() {
	if m.turn != nil {
		m.turn.end() // which counts, too
		m.turn = nil
	}
	if m.leave != nil {
		m.leave()
		m.leave = nil
	}
	if !m.began.IsZero() {
		m.spent += time.Since(m.began)
	}
}

// Done is asked before each instruction.
func (m *meter) Done() <-chan struct{} {
	if m.steps++; m.steps%clockEvery != 0 && m.err == nil {
		return nil
	}
	m.check()
	if m.err != nil {
		return stopped
	}
	return nil
}

// Err returns why the program was stopped.
func (m *meter) Err() error {
	if m.err != nil {
		return m.err
	}
	return m.Context.Err()
}

func (m *meter) check() {
	if m.leave != nil && m.steps%lightWork == 0 {
		runtime.Gosched() // whoever does little is ahead
	}
	switch err := m.Context.Err(); {
	case m.err != nil:
	case err != nil:
		m.err = err
	case m.mostWork > 0 && m.steps+m.work > m.mostWork:
		m.err = errTime
	case m.share != nil && m.leave == nil && m.steps+m.work > lightWork:
		m.leave, m.err = m.share(m.Context)
		m.began = time.Now()
	case m.began.IsZero():
		m.began = time.Now()
	case m.mostWork > 0 && time.Since(m.began) > m.most:
		m.err = ErrSlow
	case time.Since(m.began) > m.most:
		m.err = errTime
	case m.steps%lookEvery == 0:
		m.look()
	}
}

// charge notes that a value is about to be made that takes so many bytes.
func (m *meter) charge(bytes int) error {
	m.worked(bytes / bytesPer)
	if bytes > mostValue {
		m.err = errMemory
	}
	if m.charged += int64(bytes); m.charged > lookEachBytes && m.err == nil {
		m.charged = 0
		m.look()
	}
	return m.err
}

// worked notes that one instruction takes as long as so many.
func (m *meter) worked(steps int) {
	if m.work += steps; m.mostWork > 0 && m.steps+m.work > m.mostWork && m.err == nil {
		m.err = errTime
	}
}

// look sees how much memory is in use. It is all of the process's: a program that
// takes much runs beside none that does.
func (m *meter) look() {
	now := inUse()
	if m.rest == 0 {
		if now > lastLive()+lightGrowth { // what others have left behind is no rest, and would be as much more for this
			runtime.GC()
			now = inUse()
		}
		m.rest = now
		return
	}
	if now > m.rest+lightGrowth && m.turn == nil {
		waited := time.Now()
		if m.turn, m.err = takeTurn(m.Context); m.err != nil {
			return
		}
		if !m.began.IsZero() {
			m.began = m.began.Add(time.Since(waited))
		}
		now = inUse()
	}
	switch {
	case now > m.rest+mostGrowth:
		debug.FreeOSMemory() // a collection that also gives back what it freed
		if now = inUse(); now > m.rest+mostGrowth {
			m.err = errMemory
		}
	}
}

func inUse() uint64 { return bytesOf("/memory/classes/heap/objects:bytes") }

// lastLive returns how much of that was in use when the collector ran last.
func lastLive() uint64 { return bytesOf("/gc/heap/live:bytes") }

func bytesOf(name string) uint64 {
	sample := []metrics.Sample{{Name: name}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// weigh estimates how many bytes a value takes, and what would be written of it:
// a value that is in it twice counts twice. It stops counting above most, and
// says so for what is nested too deep.
func weigh(value any, most, depth int) int {
	const element, member = 16, 48
	if depth > mostNested {
		return most + 1
	}
	n := 0
	switch value := value.(type) {
	case string:
		return element + len(value)
	case []any:
		for _, v := range value {
			if n += element; n <= most {
				n += weigh(v, most-n, depth+1)
			}
			if n > most {
				return n
			}
		}
	case map[string]any:
		for name, v := range value {
			if n += member + len(name); n <= most {
				n += weigh(v, most-n, depth+1)
			}
			if n > most {
				return n
			}
		}
	}
	return n
}
