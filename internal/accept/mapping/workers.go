package mapping

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"gangway/internal/background"
)

// Limits are how much processor time programs may take: the worker's, so that a busy machine stops no honest program.
//
// Decided: docs/choices.md, "Mappings".
type Limits struct {
	Record    time.Duration // one record, of a list or for an outlet
	Whole     time.Duration // a document that is needed whole, or a trial
	List      time.Duration // all records of a list, besides PerRecord for each of them
	PerRecord time.Duration
}

// usualLimits are those of a server.
var usualLimits = Limits{Record: 2 * time.Second, Whole: 20 * time.Second, List: 10 * time.Second,
	PerRecord: time.Millisecond}

const (
	mostWaits  = 30        // how many times as long a worker may take by the clock on the wall
	mostMemory = 256 << 20 // bytes of a worker
	mostWhole  = 64 << 20  // bytes of memory of a document that a program needs all of
	mostMade   = 128 << 20 // bytes of memory of what it makes of that

	mostMadeOfList = 32 << 20 // of some records of a list; the next ones may have come as well

	watchEvery = 20 * time.Millisecond
	idleFor    = time.Minute // a worker that nobody asks ends
)

var (
	errTime    = errors.New("the program takes too long")
	errMemory  = errors.New("the program takes too much memory")
	errEnded   = errors.New("the program's worker has ended")
	errWhole   = errors.New("the program needs all records at once, and they take more than 64 MB: begin it with .[]")
	errOutputs = fmt.Errorf("the program makes more than %d records of one", mostOutputs)
)

// Spent reports whether an error says that a program took all that it may: its worker was ended.
func Spent(err error) bool { return errors.Is(err, errTime) || errors.Is(err, errMemory) }

// Workers are processes that run customers' programs: a program that takes too much is ended with its process. A
// worker serves one account, with nothing but two pipes: no environment, file or connection of the server's.
type Workers struct {
	Nice   int // of workers for which nobody waits: feeds and trials
	Limits Limits

	places *background.Slots
	most   int

	mu   sync.Mutex
	idle map[lane]*process
	live int // processes, idle ones too
}

// A lane is where an account has one worker at most.
type lane struct {
	account string
	waiting bool // somebody waits for its answers: live calls and outlets
}

// NewWorkers returns workers, at most twice as many as there are processors.
func NewWorkers() *Workers {
	most := 2 * runtime.GOMAXPROCS(0)
	return &Workers{Nice: 10, Limits: usualLimits, most: most,
		places: background.NewSlots(int64(most), 1), idle: map[lane]*process{}}
}

// A Runner runs programs for an account.
type Runner struct {
	workers *Workers
	lane    lane
	left    *time.Duration // of the processor time for all that it runs; nil: only each request is bounded
}

// Patient runs what feeds ask for; its workers leave the processors to others.
func (w *Workers) Patient(account string) Runner { return Runner{w, lane{account, false}, nil} }

// Trial is Patient for one trial, whose documents together may take as long as a document that is needed whole.
func (w *Workers) Trial(account string) Runner {
	r, left := w.Patient(account), w.Limits.Whole
	r.left = &left
	return r
}

// Waiting runs what live calls and outlets ask for.
func (w *Workers) Waiting(account string) Runner { return Runner{w, lane{account, true}, nil} }

// take takes the lane's worker, once it is free and there are not too many others.
func (r Runner) take(ctx context.Context) (p *process, leave func(), err error) {
	w := r.workers
	key := fmt.Sprint(r.lane.account, r.lane.waiting)
	leave, err = w.places.Take(ctx, key, 1)
	if err != nil {
		return nil, nil, err
	}
	w.mu.Lock()
	p = w.idle[r.lane]
	if p != nil {
		p.rest.Stop()
		delete(w.idle, r.lane)
		w.mu.Unlock()
		return p, leave, nil
	}
	if w.live++; w.live > w.most { // one of them is idle, as all others have a place
		for other, idle := range w.idle {
			w.discard(other, idle)
			break
		}
	}
	w.mu.Unlock()
	nice := 0
	if !r.lane.waiting {
		nice = w.Nice
	}
	if p, err = startProcess(nice); err != nil {
		w.mu.Lock()
		w.live--
		w.mu.Unlock()
		leave()
		return nil, nil, err
	}
	return p, leave, nil
}

// discard ends an idle worker.
func (w *Workers) discard(of lane, p *process) {
	delete(w.idle, of)
	w.live--
	p.end()
}

// giveBack keeps a worker for the lane's next request, unless it was ended.
func (r Runner) giveBack(p *process) {
	w := r.workers
	w.mu.Lock()
	defer w.mu.Unlock()
	if p.ended.Load() != nil {
		w.live--
		return
	}
	w.idle[r.lane] = p
	p.rest = time.AfterFunc(idleFor, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		if w.idle[r.lane] == p {
			w.discard(r.lane, p)
		}
	})
}

// A process is a worker, seen from the server.
type process struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	out   *bufio.Reader
	rest  *time.Timer           // while it is idle
	ended atomic.Pointer[error] // why it was; nil: it runs
}

// startProcess starts a worker.
func startProcess(nice int) (*process, error) {
	self, err := executable()
	if err != nil {
		return nil, err
	}
	p := &process{cmd: exec.Command(self, workerArgument)}
	p.cmd.Env = []string{}
	p.cmd.Dir = "/"
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.out = bufio.NewReaderSize(out, 64<<10)
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start a worker for mappings: %w", err)
	}
	setNice(p.cmd.Process.Pid, nice)
	return p, nil
}

// stop ends a worker; why is told to who asked it.
func (p *process) stop(why error) {
	p.ended.CompareAndSwap(nil, &why)
	p.end()
}

// end ends the process, and does not wait for it.
func (p *process) end() {
	p.cmd.Process.Kill()
	go p.cmd.Wait()
}
