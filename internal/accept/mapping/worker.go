package mapping

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"reflect"
	"runtime/debug"
	"strings"
	"time"

	"github.com/itchyny/gojq"
)

// workerArgument is the one argument of the process that runs customers' programs.
const workerArgument = "gangway-mapping-worker"

// init makes a worker of a process that was started as one: of gangway, or of a test program. It ends here, so that
// neither main nor a test runs.
func init() {
	if len(os.Args) == 2 && os.Args[1] == workerArgument {
		work(os.Stdin, os.Stdout)
		os.Exit(0)
	}
}

// A request has a worker run a part of a program on values, each by itself.
type request struct {
	text   string // the program
	part   string // which part of it: see program.query
	now    time.Time
	asked  [4]string // values of variables; empty: null
	values []any

	guesses guesses // that helpers make; no part of what is sent
}

// Answers of a worker are frames: a length of four bytes, a kind and a payload.
const (
	outputFrame = 'o' // a value that the program put out
	guessFrame  = 'g' // what helpers were not sure of in the value
	doneFrame   = '.' // the program has ended on a value
	failedFrame = 'x' // so, with an error: its sentence
)

const (
	mostFrame    = mostWhole + 1<<20 // bytes
	mostOutputs  = 10_000            // of one record of a list
	flushEvery   = 5 * time.Millisecond
	tidyAfter    = time.Second // without a request, memory that is free goes back to the system
	workerMemory = 128 << 20   // bytes above which its collector works hard; at mostMemory the server ends it
	mostHeld     = 20
	programAge   = time.Hour // two-digit years are read by the day on which a program was compiled
)

// work answers requests until its input ends, which is when the server ends, however it does.
func work(in io.Reader, out io.Writer) {
	debug.SetMemoryLimit(workerMemory)
	debug.SetGCPercent(400) // most of what a worker allocates is gone with the record
	requests := make(chan string, 1)
	go func() { // reads on while a program runs, to notice the end of the server
		from := bufio.NewReader(in)
		for {
			frame, err := readFrame(from)
			if err != nil {
				os.Exit(0)
			}
			requests <- frame
		}
	}()
	w := worker{out: bufio.NewWriterSize(out, 64<<10), flushed: time.Now(), held: map[[2]string]readyPart{}}
	idle := time.AfterFunc(tidyAfter, debug.FreeOSMemory)
	for frame := range requests {
		idle.Stop()
		large := len(frame) > largeFrame
		if w.answer(frame) != nil || w.out.Flush() != nil {
			return
		}
		if frame = ""; large { // the server reads the next document meanwhile
			debug.FreeOSMemory()
		}
		idle.Reset(tidyAfter)
	}
}

// A worker runs programs of one account.
type worker struct {
	out     *bufio.Writer
	buf     []byte // of the last output
	flushed time.Time
	held    map[[2]string]readyPart // by text and name
	guesses int                     // of the value at hand
}

// A readyPart is a part of a program that was compiled.
type readyPart struct {
	*gojq.Code
	born time.Time
}

// answer runs a request. Its errors are of the connection.
func (w *worker) answer(frame string) error {
	req, numbers, err := readRequest(frame)
	if err != nil {
		return err
	}
	code, err := w.code(req)
	if err != nil {
		return w.frame(failedFrame, []byte(err.Error()))
	}
	asked := make([]any, len(variables))
	for i, text := range req.asked {
		if text != "" {
			asked[i] = text
		}
	}
	for _, value := range req.values {
		if time.Since(w.flushed) > flushEvery { // the server measures time from one answer to the next
			if err := w.flush(); err != nil {
				return err
			}
		}
		if err := w.run(code, value, asked, numbers, req.ofRecords()); err != nil {
			return err
		}
	}
	return nil
}

// run runs a program on a value.
func (w *worker) run(code *gojq.Code, value any, asked []any, numbers map[uintptr]uint64, record bool) error {
	w.guesses = 0
	iter := code.Run(value, asked...)
	for n := 1; ; n++ {
		out, ok := iter.Next()
		if !ok {
			return w.frame(doneFrame, nil)
		}
		if err, failed := out.(error); failed {
			var halt *gojq.HaltError
			if errors.As(err, &halt) && halt.Value() == nil { // break, which ends a stream
				return w.frame(doneFrame, nil)
			}
			return w.frame(failedFrame, []byte(runError(err)))
		}
		if record && n > mostOutputs {
			return w.frame(failedFrame, []byte(errOutputs.Error()))
		}
		encoded := valueWriter{buf: w.buf[:0], numbers: numbers, record: record}
		err := encoded.value(out, 0)
		w.buf = encoded.buf[:0]
		if err != nil {
			return w.frame(failedFrame, []byte(err.Error()))
		}
		if err := w.frame(outputFrame, encoded.buf); err != nil {
			return err
		}
		if !record {
			if err := w.flush(); err != nil {
				return err
			}
		}
	}
}

// code returns a part of a program, ready to run.
func (w *worker) code(req request) (*gojq.Code, error) {
	of := [2]string{strings.Clone(req.text), strings.Clone(req.part)} // without the frame that they are part of
	held, ready := w.held[of]
	if ready && req.now.Sub(held.born).Abs() <= programAge {
		return held.Code, nil
	}
	p, err := parseProgram(of[0])
	if err != nil {
		return nil, err
	}
	code, err := p.compile(p.query(of[1]), helpers(req.now, w.guess))
	if err != nil {
		return nil, err
	}
	if len(w.held) >= mostHeld {
		clear(w.held)
	}
	w.held[of] = readyPart{code, req.now}
	return code, nil
}

// guess tells of something that a helper was not sure of.
func (w *worker) guess(why, example string) {
	if w.guesses++; w.guesses <= mostOutputs {
		_ = w.frame(guessFrame, []byte(why+"\x00"+example)) // what follows fails as well
	}
}

func (w *worker) frame(kind byte, payload []byte) error {
	head := binary.BigEndian.AppendUint32(w.out.AvailableBuffer(), uint32(len(payload)+1))
	if _, err := w.out.Write(append(head, kind)); err != nil {
		return err
	}
	_, err := w.out.Write(payload)
	return err
}

func (w *worker) flush() error {
	w.flushed = time.Now()
	return w.out.Flush()
}

// readFrame reads a frame as it was written. Memory is set aside as its bytes come.
func readFrame(from *bufio.Reader) (string, error) {
	head, err := from.Peek(4)
	if err != nil {
		return "", err
	}
	n := int(binary.BigEndian.Uint32(head))
	from.Discard(4)
	if n > mostFrame {
		return "", errMemory
	}
	if n <= from.Size() {
		short, err := from.Peek(n)
		frame := string(short)
		from.Discard(len(short))
		return frame, err
	}
	var frame strings.Builder
	_, err = io.CopyN(&frame, from, int64(n))
	return frame.String(), err
}

// ofRecords reports whether the program is run on each record by itself.
func (r request) ofRecords() bool { return r.part == eachPart || r.part == tailPart }

// encode writes a request as readRequest reads it; objects are those of its values, by their numbers.
func (r request) encode() (frame []byte, objects []map[string]any, err error) {
	w := valueWriter{buf: make([]byte, 4, 1<<10)}
	head := []any{r.text, r.part, int(r.now.UnixNano())}
	for _, text := range r.asked {
		head = append(head, text)
	}
	for _, part := range []any{head, r.values} {
		if err := w.value(part, 0); err != nil {
			return nil, nil, err
		}
	}
	binary.BigEndian.PutUint32(w.buf, uint32(len(w.buf)-4))
	return w.buf, w.objects, nil
}

// readRequest reads a request, and the numbers of the objects in its values.
func readRequest(frame string) (r request, numbers map[uintptr]uint64, err error) {
	in := valueReader{buf: frame, filling: true, left: mostFrame * 64}
	head, err := in.value(0)
	if err != nil {
		return r, nil, err
	}
	values, err := in.value(0)
	if err != nil {
		return r, nil, err
	}
	said, _ := head.([]any)
	if len(said) != 3+len(r.asked) {
		return r, nil, errFrame
	}
	r.text, _ = said[0].(string)
	r.part, _ = said[1].(string)
	nanos, _ := said[2].(int)
	r.now = time.Unix(0, int64(nanos))
	for i := range r.asked {
		r.asked[i], _ = said[3+i].(string)
	}
	r.values, _ = values.([]any)
	numbers = make(map[uintptr]uint64, len(in.objects))
	for n, object := range in.objects {
		numbers[reflect.ValueOf(object).Pointer()] = uint64(n)
	}
	return r, numbers, nil
}
