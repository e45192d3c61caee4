package accept

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	"gangway/internal/accept/decode"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/wire"
)

// AllOrNothing takes in the records of a flow for an account at an instant, or none of them if one is wrong or sent
// twice. If the records are placed, every problem and warning says where in the document it is. format is what people
// call the document's.
//
// Its error is a *gangway.ProblemsError that names every wrong field, ErrTooMany, or Invalid for a document that cannot
// be read.
func AllOrNothing(ctx context.Context, in store.Scoped, flow gangway.Flow, doc Records, format string, limits Limits,
	at time.Time) (Receipt, error) {
	return kindOf(flow).allOrNothing(ctx, in, doc, format, limits, at)
}

// An upload is the state of taking in one document, all or nothing.
type upload[T identified] struct {
	intake[T]
	format   string
	first    map[string]int // first record of each identity
	problems gangway.Problems
	warnings gangway.Problems
}

// errEnough ends the reading of a document that is refused whatever else it has.
var errEnough = errors.New("enough is wrong")

func (k Kind[T]) allOrNothing(ctx context.Context, in store.Scoped, doc Records, format string, limits Limits,
	at time.Time) (Receipt, error) {
	u := &upload[T]{intake: newIntake(k, k.uploaded, doc, limits, at), format: format, first: map[string]int{}}
	u.source.leftOut = u.leaveOut
	err := u.readAll(ctx, u.take)
	switch {
	case err != nil && !errors.Is(err, errEnough):
		return Receipt{}, err
	case u.problems.Truncated: // it is refused anyway; only the number of records still matters
		u.source.count()
	}
	if err := cmp.Or(u.refusal(u.source.err), u.problems.Err()); err != nil {
		return Receipt{}, err
	}
	if err := u.portion.writeDown(); err != nil {
		return Receipt{}, err
	}
	in = in.Sending(store.Sending{Told: func(name, words string) {
		u.warnings.Add(gangway.ProblemPath{Record: u.first[name]}.Field("ChangeDate"), "%s", words)
	}})
	counts, err := k.write(in, ctx, u.portion.rows, gangway.Origin{Source: gangway.Uploaded, SeenAt: at})
	return Receipt{counts, u.warnings}, err
}

// refusal says why the document cannot be read to its end.
func (u *upload[T]) refusal(err error) error {
	var broken *decode.BrokenError
	switch {
	case errors.Is(err, decode.ErrNoArray):
		return gangway.Errorf(gangway.Invalid, "the body must be an array of %s records", u.kind.name)
	case errors.Is(err, decode.ErrBehind) && errors.As(err, &broken):
		return gangway.Errorf(gangway.Invalid, "the body must end after the array: %s", broken.At)
	case errors.Is(err, decode.ErrEmpty), errors.As(err, &broken), errors.As(err, new(*decode.RecordError)):
		return gangway.Errorf(gangway.Invalid, "the body cannot be read as %s: %v", u.format, err)
	}
	return err
}

// take notes what is wrong with a record, and keeps it as long as the document has no problems.
func (u *upload[T]) take(record *T, reading *wire.Reading) error {
	wrong, at := &reading.Problems, gangway.ProblemPath{Record: reading.Record}
	var warnings gangway.Problems
	if m := reading.Malformed; m != nil {
		wrong.Add(m.Path, "The body cannot be read as JSON here, at byte %d: %s.", u.source.at.N+m.Byte, m.Why)
	} else {
		u.check(record, reading)
		if reading.Checkable && u.places != nil {
			u.of.CheckLetters(record, wrong, at, func(path, name string) {
				warnings.Add(path, "The letters of “%s” seem to have been encoded twice.", name)
			})
		}
		u.checkTwice(record, wrong, at)
	}
	u.sign(wrong, record)
	u.problems.Join(wrong)
	switch {
	case reading.Malformed != nil, u.problems.Truncated:
		return errEnough
	case u.problems.Err() != nil:
		return nil
	}
	u.kind.warn(record, &warnings, at, u.warnWith)
	u.sign(&warnings, record)
	u.warnings.Join(&warnings)
	return u.portion.keep(record, u.source.size)
}

// checkTwice notes that a record is the same as an earlier one, unless what tells them apart is wrong itself.
func (u *upload[T]) checkTwice(record *T, wrong *gangway.Problems, at gangway.ProblemPath) {
	key, field := u.kind.identity(record)
	switch first, twice := u.first[key]; {
	case wrong.Has(at.Field(field)):
	case twice:
		wrong.Add(at.Field(field), "This record is the same as [%d]; send it once.", first)
	default:
		u.first[key] = at.Record
	}
}

// leaveOut notes that a record cannot even be read. In our own JSON nothing after it can be read either; of other
// documents, the other records are looked at all the same.
func (u *upload[T]) leaveOut(record int, err *decode.RecordError) (goOn bool) {
	if u.places == nil {
		return false
	}
	u.problems.Add(gangway.ProblemPath{Record: record}.Field(""), "The record cannot be read: %s.", err.Msg)
	u.problems.Sign(func(string) string {
		if at := u.source.at.String(); !strings.HasSuffix(err.Msg, "at "+at) {
			return at
		}
		return ""
	})
	return true
}
