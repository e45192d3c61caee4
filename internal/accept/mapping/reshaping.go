package mapping

import (
	"context"
	"errors"
	"fmt"

	"gangway/internal/accept/decode"
	"gangway/internal/gangway"

	"github.com/itchyny/gojq"
)

// A Reshaping makes a customer's own document of one of ours: a jq program. It can be used by several at the same
// time.
type Reshaping struct{ mapping *Mapping }

// mostShaped is how many bytes a document may have that was made of one record.
const mostShaped = 1 << 20

// ErrLeftOut says that a program puts nothing out: it wants the record left out.
var ErrLeftOut = errors.New("the mapping leaves it out")

// CompileReshaping reads a jq program. The error is Invalid and says at which line and column it is wrong.
func CompileReshaping(text string) (*Reshaping, error) {
	if blank(text) {
		return nil, gangway.Errorf(gangway.Invalid, "the mapping is no jq program: it is empty")
	}
	m, err := Compile(text, "")
	if err != nil {
		return nil, err
	}
	return &Reshaping{m}, nil
}

// Reshape has a runner run the program on a document of JSON, and returns the one document that it puts out, as JSON
// with the members of objects in the order of their names. ErrLeftOut: it puts out none. Spent: it took all that it
// may. Any other error is a sentence about the program and this document, unless ctx has ended.
func (r *Reshaping) Reshape(ctx context.Context, runner Runner, doc []byte) ([]byte, error) {
	value, err := decode.Value(doc)
	if err != nil {
		return nil, fmt.Errorf("read a record: %w", err)
	}
	req := request{text: r.mapping.program.text, part: wholePart, now: r.mapping.now(), values: []any{value}}
	most := runner.workers.Limits.Record
	answers, err := runner.run(ctx, req, bounds{each: most, all: most})
	switch {
	case err != nil:
		return nil, err
	case answers[0].failed != "":
		return nil, errors.New(answers[0].failed)
	}
	switch outputs := answers[0].outputs; {
	case len(outputs) == 0:
		return nil, ErrLeftOut
	case len(outputs) > 1:
		return nil, errors.New("the program makes more than one document of a record: put them into one list, " +
			"as in [.a, .b]")
	case weigh(outputs[0], mostShaped, 0) > mostShaped:
		return nil, fmt.Errorf("the program makes more than %d MB of one record", mostShaped>>20)
	default:
		return gojq.Marshal(outputs[0])
	}
}
