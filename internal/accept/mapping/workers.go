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

	mostRecords    = 2_000_000 // of a document, as runs take them
	mostMadeOfList = 32 << 20  // of some records of a list; the next ones may have come as well

	watchEvery = 20 * time.Millisecond
	idleFor    = 15 * time.Second // a worker that nobody asks ends
)

var (
	errTime   = errors.New("the program takes too long")
	errMemory = errors.New("the program takes too much memory")
	errEnded  = errors.New("the program's worker has ended")
	// ErrBusy says that nobody waits any more, and that there was no free worker before.
	ErrBusy = errors.New("no worker was free")

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

	patient, waiting pool
}

// A pool has one worker of an account at most.
type pool struct {
	places *background.Slots
	most   int

	mu   sync.Mutex
	idle map[string]*process // by account
	live int                 // processes, idle ones too
}

func newPool(most int) pool {
	return pool{places: background.NewSlots(int64(most), 1), most: most, idle: map[string]*process{}}
}

// NewWorkers returns workers, at most twice as many as there are processors. Only few are for what nobody waits for:
// those may work, and take memory, for long.
func NewWorkers() *Workers {
	processors := runtime.GOMAXPROCS(0)
	patient := max(1, processors/2)
	return &Workers{Nice: 10, Limits: usualLimits, patient: newPool(patient), waiting: newPool(2*processors - patient)}
}

// A Runner runs programs for an account.
type Runner struct {
	workers *Workers
	pool    *pool
	nice    int
	account string
	until   time.Time      // when nobody waits for a worker any more; zero: somebody does
	left    *time.Duration // of the processor time for all that it runs; nil: only each request is bounded
}

// Patient runs what feeds ask for; its workers leave the processors to others.
func (w *Workers) Patient(account string) Runner {
	return Runner{workers: w, pool: &w.patient, nice: w.Nice, account: account}
}

// Trial is Patient for one trial, whose documents together may take as long as a document that is needed whole.
func (w *Workers) Trial(account string) Runner {
	r, left := w.Patient(account), w.Limits.Whole
	r.left = &left
	return r
}

// Waiting runs what live calls and outlets ask for.
func (w *Workers) Waiting(account string) Runner {
	return Runner{workers: w, pool: &w.waiting, account: account}
}

// Until returns the runner for which nobody waits for a worker after t.
func (r Runner) Until(t time.Time) Runner {
	r.until = t
	return r
}

// take takes the account's worker, once it is free and there are not too many others.
func (r Runner) take(ctx context.Context) (p *process, leave func(), err error) {
	w := r.pool
	if !r.until.IsZero() {
		var stop func()
		ctx, stop = context.WithDeadline(ctx, r.until)
		defer stop()
	}
	if leave, err = w.places.Take(ctx, r.account, 1); err != nil {
		return nil, nil, fmt.Errorf("%w: %w", ErrBusy, err)
	}
	w.mu.Lock()
	p = w.idle[r.account]
	if p != nil {
		p.rest.Stop()
		delete(w.idle, r.account)
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
	if p, err = startProcess(r.nice); err != nil {
		w.mu.Lock()
		w.live--
		w.mu.Unlock()
		leave()
		return nil, nil, err
	}
	return p, leave, nil
}

// discard ends an idle worker.
func (w *pool) discard(of string, p *process) {
	delete(w.idle, of)
	w.live--
	p.end()
}

// giveBack keeps a worker for the account's next request, unless it was ended.
func (r Runner) giveBack(p *process) {
	w := r.pool
	w.mu.Lock()
	defer w.mu.Unlock()
	if p.ended.Load() != nil {
		w.live--
		return
	}
	w.idle[r.account] = p
	p.rest = time.AfterFunc(idleFor, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		if w.idle[r.account] == p {
			w.discard(r.account, p)
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
