package mapping

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"
)

// workers run the programs of these tests; on a busy machine none of them is nicer than the test that waits for it.
var workers = func() *Workers {
	w := NewWorkers()
	w.Nice = 0
	return w
}()

// runner runs them where it does not matter for whom.
var runner = workers.Patient("test")

// once asks a new set of workers to run a program on null, within bounds.
func once(t *testing.T, program string, most bounds) (answers []answer, err error) {
	t.Helper()
	answers, err = NewWorkers().Waiting("a").run(t.Context(), asking(program), most)
	return answers, err
}

func asking(program string) request {
	return request{text: program, part: wholePart, now: today, values: []any{nil}}
}

// hang is longer than anything here takes on a machine that works.
const hang = 10 * time.Minute

func TestProgramThatTakesTooMuchIsEnded(t *testing.T) {
	for program, want := range map[string]error{
		`def f: f; f`: errTime, `("a"*7000000)|test("(a?){900}b")`: errTime, `("a"*2000000)|indices("a")|length`: errTime,
		`reduce range(18) as $i ("a"; tojson) | length | range(1e9) | empty`: errTime,
		`[range(1e9)]`: errMemory, `"x" * 1e9 | . + . | length`: errMemory,
	} {
		most := bounds{each: 200 * time.Millisecond, all: hang}
		if want == errMemory {
			most.each = hang
		}
		if _, err := once(t, program, most); !errors.Is(err, want) {
			t.Errorf("%s: %v; want %v", program, err, want)
		}
	}
	if _, err := once(t, `range(1e9) | empty`, bounds{each: hang, all: 200 * time.Millisecond}); !errors.Is(err, errTime) {
		t.Errorf("all that a request may take: %v; want %v", err, errTime)
	}
}

// A record that the server could not read fails alone, in the worker: none of it is decoded.
func TestRecordThatCannotBeReadFailsAlone(t *testing.T) {
	req := request{text: `.[] | if .n == 1 then . + {x: (reduce range(70) as $i (1; [.]))}
		elif .n == 2 then . + {x: ("/////w==" | @base64d)} elif .n == 3 then ([range(300000) | {("k\(.)"): 1}] | add) else . end`,
		part: eachPart, now: today}
	for n := range 5 {
		req.values = append(req.values, map[string]any{"n": n})
	}
	answers, err := NewWorkers().Waiting("a").run(t.Context(), req, bounds{each: hang, all: hang})
	must(t, err)
	for n, want := range []error{1: errNested, 2: errUTF8, 3: errRecord, 4: nil} {
		if want == nil && (answers[n].failed != "" || len(answers[n].outputs) != 1) ||
			want != nil && (answers[n].failed != want.Error() || answers[n].outputs != nil) {
			t.Errorf("record %d: %q and %d outputs; want %v", n, answers[n].failed, len(answers[n].outputs), want)
		}
	}
}

func TestWorkerEndsWhenNobodyWaits(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	go cancel()
	if _, err := NewWorkers().Patient("a").run(ctx, asking(`def f: f; f`), bounds{each: hang, all: hang}); !errors.Is(err, context.Canceled) {
		t.Errorf("it ends with %v; want that nobody waits", err)
	}
}

func TestWorkerEndsWithTheServer(t *testing.T) {
	p, err := startProcess(0)
	must(t, err)
	frame, _, err := asking(`def f: f; f`).encode()
	must(t, err)
	must(t, did(p.in.Write(frame)))
	p.in.Close() // as the system does for a server that was killed
	if err := p.cmd.Wait(); err != nil {
		t.Errorf("it ends with %v; want nothing wrong", err)
	}
}

func TestAnAccountHasOneWorkerOfAKind(t *testing.T) {
	w := NewWorkers()
	var all sync.WaitGroup
	for i := range 20 {
		account := string(rune('a' + i%5))
		all.Go(func() {
			answers, err := w.Patient(account).run(t.Context(), asking(`[range(1000)] | add`), bounds{each: hang, all: hang})
			if err != nil || answers[0].outputs[0] != 499500 {
				t.Errorf("beside others: %v, %v", answers, err)
			}
		})
	}
	all.Wait()
	p := &w.patient
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.live != len(p.idle) || p.live > p.most || p.live > 5 {
		t.Errorf("%d processes, %d idle; want at most %d, and one of each account", p.live, len(p.idle), p.most)
	}
}
