package mapping

import (
	"context"
	"errors"
	"fmt"

	"gangway/internal/accept/decode"
	"gangway/internal/gangway"

	"github.com/itchyny/gojq"
)

// A Reshaping makes a customer's own document of one of ours: a jq program, run within the same bounds as
// those of feeds, but that work bounds it rather than time. It can be used by several at the same time.
type Reshaping struct{ mapping *Mapping }

// mostShaped is how many bytes a document may have that was made of one record.
const mostShaped = 1 << 20

// ErrLeftOut says that a program puts nothing out: it wants the record left out.
var ErrLeftOut = errors.New("the mapping leaves it out")

// ErrSlow says that a program has not come to an end in the time that there was, although it had not done more than
// it may: the machine is busy, and it may be tried again.
var ErrSlow = errors.New("the program did not come to an end in the time that there was")

// Spent reports whether an error of Reshape says that the program did, or took, all that it may: it is not worth
// another try.
func Spent(err error) bool { return errors.Is(err, errTime) || errors.Is(err, errMemory) }

// CompileReshaping reads a jq program. The error is Invalid and says at which line and column it is wrong.
func CompileReshaping(text string) (*Reshaping, error) {
	if blank(text) {
		return nil, gangway.Errorf(gangway.Invalid, "the mapping is no jq program: it is empty")
	}
	m, err := Compile(text, "")
	if err != nil {
		return nil, err
	}
	m.machines.most = mostReshaped
	return &Reshaping{m}, nil
}

// Reshape runs the program on a document of JSON, and returns the one document that it puts out, as JSON with
// the members of objects in the order of their names. A program that takes longer than nearly all do waits for a
// share first, unless that is nil; its error is Reshape's. ErrLeftOut: it puts out none. ErrSlow: it may be tried
// again. Any other error is a sentence about the program and this document, unless ctx has ended.
func (r *Reshaping) Reshape(ctx context.Context, doc []byte, share Share) ([]byte, error) {
	value, err := decode.Value(doc)
	if err != nil {
		return nil, fmt.Errorf("read a record: %w", err)
	}
	used := r.mapping.machine(ctx)
	defer r.mapping.putBack(used)
	code, err := used.code(r.mapping.program, wholeProgram)
	if err != nil {
		return nil, err
	}
	used.meter.start(mostShaping)
	used.meter.mostWork, used.meter.share = mostWork, share
	iter := code.RunWithContext(used.meter, value, make([]any, len(variables))...)
	out, err := used.oneOf(iter)
	if err != nil {
		return nil, err
	}
	if weigh(out, mostShaped, 0) > mostShaped {
		return nil, fmt.Errorf("the program makes more than %d MB of one record", mostShaped>>20)
	}
	return gojq.Marshal(out)
}

// oneOf returns the one output of a program.
func (c *machine) oneOf(iter gojq.Iter) (out any, err error) {
	for n := 0; ; n++ {
		next, ok := iter.Next()
		switch err, failed := next.(error); {
		case failed && c.meter.Err() != nil:
			return nil, c.meter.Err()
		case failed && !isBreak(err):
			return nil, errors.New(runError(err))
		case !ok || failed:
			if n == 0 {
				return nil, ErrLeftOut
			}
			return out, nil
		case n > 0:
			return nil, errors.New("the program makes more than one document of a record: put them into one list, " +
				"as in [.a, .b]")
		}
		out = next
	}
}

// isBreak reports whether an error only ends a stream.
func isBreak(err error) bool {
	var halt *gojq.HaltError
	return errors.As(err, &halt) && halt.Value() == nil
}
