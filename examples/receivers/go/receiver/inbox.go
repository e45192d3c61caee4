package receiver

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"sync"
)

// An Inbox is a file with every push that was received, a line each: webhook-id, booking, sequence and record,
// between tabs. The zero Inbox has no file, and forgets everything when the program ends.
//
// In your own system it is a table whose key is the webhook-id, written in the transaction that changes
// the booking.
type Inbox struct {
	mu     sync.Mutex
	file   *os.File
	broken error           // what was not stored once is not known to be stored later
	seen   map[string]bool // webhook-ids
	latest map[string]int  // the highest sequence of each booking
}

// An Outcome says what a push was good for.
type Outcome string

const (
	Current Outcome = ""       // the booking is now as its record says
	Late    Outcome = "late"   // a later action of the booking is known: this one goes into its history only
	Repeat  Outcome = "repeat" // it was received before: nothing was done
)

// Open reads the pushes that a file has, which may be none, and appends to it from now on.
func Open(name string) (*Inbox, error) {
	file, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(name)
	if err != nil {
		file.Close()
		return nil, err
	}
	b, whole := &Inbox{file: file}, bytes.LastIndexByte(text, '\n')+1
	for line := range bytes.Lines(text[:whole]) {
		column := bytes.SplitN(line, []byte("\t"), 4)
		sequence, err := strconv.Atoi(string(column[min(2, len(column)-1)]))
		if err != nil {
			file.Close()
			return nil, fmt.Errorf("%s is no file of pushes: %w", name, err)
		}
		b.note(Push{ID: string(column[0]), Booking: string(column[1]), Sequence: sequence})
	}
	// We were killed while we wrote the rest: nobody was told that it is stored, so it comes again.
	return b, file.Truncate(int64(whole))
}

// note remembers a push, and says what it is good for.
func (b *Inbox) note(p Push) Outcome {
	if b.seen == nil {
		b.seen, b.latest = map[string]bool{}, map[string]int{}
	}
	b.seen[p.ID] = true
	if p.Sequence < b.latest[p.Booking] {
		return Late
	}
	b.latest[p.Booking] = p.Sequence
	return Current
}

// Keep stores a push, unless it is a repeat. When it returns without an error the push is on the disk.
func (b *Inbox) Keep(p Push) (Outcome, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.seen[p.ID] && p.ID != "" {
		return Repeat, nil
	}
	if b.file != nil && b.broken == nil {
		_, b.broken = b.file.Write(p.line())
		if b.broken == nil {
			b.broken = b.file.Sync()
		}
	}
	if b.broken != nil {
		return "", fmt.Errorf("store push %s: %w", p.ID, b.broken)
	}
	return b.note(p), nil
}

// line returns the push as one line: line breaks and tabs only ever stand between the tokens of JSON.
func (p Push) line() []byte {
	line := bytes.Map(func(r rune) rune {
		if r == '\n' || r == '\r' || r == '\t' {
			return ' '
		}
		return r
	}, p.Record)
	return fmt.Appendf(nil, "%s\t%s\t%d\t%s\n", p.ID, p.Booking, p.Sequence, line)
}

// Close closes the file: nothing is stored any more.
func (b *Inbox) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.file == nil {
		return nil
	}
	return b.file.Close()
}
