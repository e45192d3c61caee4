package mapping

import (
	"context"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"time"
)

// An answer is what a program made of a value.
type answer struct {
	outputs []any
	failed  string // why it failed; empty: it did not
}

// Bounds are the processor time that a worker may take.
type bounds struct {
	each time.Duration // from one answer to the next
	all  time.Duration // for a request
	more time.Duration // that the runner may take for it, beside what is left
}

// largeFrame is how long a request is, in bytes, that takes much memory.
const largeFrame = 8 << 20

// run has a worker answer a request, and returns the answers that came. The error is errTime or errMemory where the
// worker was ended for that, and that of ctx where nobody waits any more.
func (r Runner) run(ctx context.Context, req request, most bounds) (answers []answer, err error) {
	frame, objects, err := req.encode()
	if err != nil {
		return nil, err
	}
	p, leave, err := r.take(ctx)
	if err != nil {
		return nil, err
	}
	if len(frame) > largeFrame { // what was left by reading it is returned before the worker takes as much
		debug.FreeOSMemory()
	}
	defer leave()
	defer r.giveBack(p)
	if r.left != nil {
		*r.left += most.more
		most.all = min(most.all, *r.left)
	}
	began := p.processorTime()
	var came atomic.Int64
	over, watched := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(watched)
		p.watch(ctx, most, &came, over)
	}()
	made := mostMade
	if req.ofRecords() {
		made = mostMadeOfList
	}
	answers, err = p.exchange(frame, valueReader{objects: objects, left: made}, len(req.values), &came, req.guesses)
	close(over)
	<-watched
	if why := p.ended.Load(); why != nil {
		return answers, *why
	}
	if err != nil {
		p.stop(err)
		return answers, err
	}
	if r.left != nil {
		*r.left -= p.processorTime() - began
	}
	return answers, nil
}

// exchange sends a request and reads its answers, one for each of n values. What was guessed is added to about.
func (p *process) exchange(frame []byte, read valueReader, n int, came *atomic.Int64,
	about guesses) (all []answer, err error) {
	if _, err := p.in.Write(frame); err != nil {
		return nil, errEnded
	}
	for of := (answer{}); len(all) < n; {
		frame, err := readFrame(p.out)
		if err != nil || len(frame) == 0 {
			return all, errEnded
		}
		switch kind, payload := frame[0], frame[1:]; kind {
		case outputFrame:
			if len(of.outputs) == mostRecords {
				return all, errMemory
			}
			read.buf = payload
			value, err := read.value(0)
			if err != nil {
				return all, err
			}
			of.outputs = append(of.outputs, value)
			continue
		case guessFrame:
			why, example, _ := strings.Cut(payload, "\x00")
			about.add(why, example)
			continue
		case failedFrame:
			of = answer{failed: payload}
		}
		all, of = append(all, of), answer{}
		came.Add(1)
	}
	return all, nil
}

// watch ends the worker once it takes more than it may, or nobody waits for it any more, until over is closed.
func (p *process) watch(ctx context.Context, most bounds, came *atomic.Int64, over <-chan struct{}) {
	look := time.NewTicker(watchEvery)
	defer look.Stop()
	began := p.processorTime()
	last, lastCame, lastAt := began, int64(0), time.Now()
	for {
		select {
		case <-over:
			return
		case <-ctx.Done():
			p.stop(context.Cause(ctx))
			return
		case now := <-look.C:
			took := p.processorTime()
			if n := came.Load(); n != lastCame {
				last, lastCame, lastAt = took, n, now
			}
			switch {
			case took-last > most.each, took-began > most.all, now.Sub(lastAt) > mostWaits*most.each:
				p.stop(errTime)
				return
			case p.memory() > mostMemory:
				p.stop(errMemory)
				return
			}
		}
	}
}
