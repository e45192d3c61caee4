package poll

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"gangway/internal/accept"
	"gangway/internal/accept/decode"
	"gangway/internal/accept/mapping"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/transport"
)

// A feedRun is one run of a feed while it is made.
type feedRun struct {
	p      *Poller
	in     store.Scoped
	lease  store.FeedLease
	feed   store.StoredFeed
	kind   transport.Kind
	puller transport.Puller
	ask    Ask
	began  time.Time

	documents []*document
	left      []*document // to the next run
	have      transport.Validators
	unchanged bool
	later     time.Duration // before which the customer's system does not want to be called again
	progress  *progress
	more      string // why there seems to be more than what came; empty: it does not seem so
	had       int    // records that the feed had before
}

// A document is one that was fetched, and what became of it.
type document struct {
	*spooled
	key         string
	name        string
	contentType string
	from        string                 // a mail's sender
	whole       int64                  // how much memory what must be read as a whole may take; 0: as usual
	format      gangway.DocumentFormat // as it was found
	wrong       error                  // why nothing of it is stored; nil: nothing is wrong
	covers      *mapping.Coverage      // notes its records; nil: nobody asks
	runner      mapping.Runner         // runs the program that maps it
	answer      bool                   // a system gave it when it was called
	endless     bool                   // nothing but itself shows whether all of it came
	says        decode.Envelope        // what it says of itself, of an answer

	refusals, warnings span // of the run's, those about it
}

// A span is a part of a list: from first, before last.
type span struct{ first, last int }

func (s span) of(list []gangway.FeedRemark) []gangway.FeedRemark {
	return list[min(s.first, len(list)):min(s.last, len(list))]
}

// leftBySpent is how long a document is that leaves as much memory behind as a mapping that took too much.
const leftBySpent = 16 << 20

func (r *feedRun) close() {
	read := int64(0)
	for _, d := range slices.Concat(r.documents, r.left) {
		if d.spooled != nil {
			read += d.size
		}
		if mapping.Spent(d.wrong) { // as much may be left of what its mapping made
			read += leftBySpent
		}
		d.close()
	}
	r.p.tidier.Leave(read * timesInMemory)
}

// run makes the run. Its error is ours, the database's or ctx's; what is wrong
// with the customer's side is in the run.
func (r *feedRun) run(ctx context.Context) (run gangway.FeedRun, end store.FeedRunEnd, err error) {
	run.Ask = r.ask.Ask
	if err := r.fetch(ctx); err != nil {
		// A document that was given is in our own database.
		ours := isOurs(err) || r.lease.Given != nil && gangway.KindOf(err) != gangway.Invalid
		if ctx.Err() != nil || ours || errors.Is(err, store.ErrAway) {
			return run, end, err
		}
		run.Error = sentence(err)
		if later, is := errors.AsType[*transport.LaterError](err); is {
			r.later = later.After
		}
		return run, end, nil
	}
	if r.unchanged {
		run.NotModified = true
		return run, end, nil
	}
	if r.foundNothing() {
		return run, end, nil
	}
	taken, err := r.take(ctx)
	if gangway.KindOf(err) == gangway.Invalid { // the mapping
		run.Error = sentence(err)
		return run, end, nil
	}
	if err != nil {
		return run, end, err
	}
	defer taken.Close()
	if err := r.broken(); err != nil {
		run.Error = err.Error()
		return run, end, r.keep(ctx, &run)
	}
	r.tell(&run, taken.Report())
	run.At = r.began
	var says decode.Envelope
	for _, d := range r.documents {
		says.Add(d.says)
	}
	r.more = noteMore(r.feed.Feed, says, &run)
	if err := allRefused(taken.Report()); err != nil && r.called() {
		run.Error = err.Error()
		return run, end, r.keep(ctx, &run)
	}
	if run.Shorter, err = r.shorter(ctx, taken); err != nil {
		return run, end, err
	}
	if run.Shrank() {
		run.Error = run.Shorter.Words() + ": nothing was changed"
		if run.Refused > 0 {
			run.Error = refusedFirst(taken.Report()) + " Without what was refused, " + run.Error
		}
		return run, end, r.keep(ctx, &run)
	}
	said := len(taken.Report().Warnings.List)
	r.progress.stores()
	if err := r.keep(ctx, &run); err != nil {
		return run, end, err
	}
	if err := taken.Apply(ctx); err != nil {
		return run, end, err
	}
	if end.Whole = r.whole(); end.Whole {
		gone, err := taken.DropRest(ctx, store.Days{})
		if err != nil {
			return run, end, err
		}
		if gangway.ToldRemoved(gone, r.had) && !r.ask.Shrunk {
			run.Notice = gangway.FeedNotice{At: r.began, Text: fmt.Sprintf("%d of the %d records that it had are gone",
				gone, r.had)}
		}
	}
	run.Warnings = append(run.Warnings, taken.Report().Warnings.List[said:]...) // what was decided while it was stored
	end.Arrivals = r.arrivals(run)
	if have, err := json.Marshal(r.have); err == nil && r.have != (transport.Validators{}) {
		end.Have = string(have)
	}
	return run, end, nil
}

// foundNothing reports whether there was no file or mail: that is no run, and says nothing of what
// the customer's system has.
func (r *feedRun) foundNothing() bool { return len(r.documents) == 0 && settles(r.puller) }

// fetch puts aside all that the transport brings.
func (r *feedRun) fetch(ctx context.Context) error {
	if r.lease.Given != nil {
		return r.fetchGiven(ctx)
	}
	query := transport.Query{Ask: r.ask.Ask, Most: r.p.most, Known: r.readBefore}
	if have, err := r.in.FeedHave(ctx, r.lease.Feed); err == nil && have != "" && !r.ask.Shrunk {
		_ = json.Unmarshal([]byte(have), &query.Have) // without, all is fetched
	}
	room := runDocuments * r.p.most
	for a, err := range r.puller.Pull(ctx, query) {
		if err != nil {
			return err
		}
		if a.Unchanged {
			r.unchanged = len(r.documents) == 0
			continue
		}
		if n := len(r.documents); (n >= r.p.mostDocuments || room <= 0) && r.documents[n-1].key != a.Key {
			switch {
			case settles(r.puller):
				return nil // the others are for the next run
			case room <= 0:
				return gangway.Errorf(gangway.Invalid, "all pages together are longer than %d MiB",
					runDocuments*r.p.most>>20)
			}
			return gangway.Errorf(gangway.Invalid, "there are more than %d documents", r.p.mostDocuments)
		}
		d := &document{runner: r.p.workers.Patient(r.in.Scope().Account),
			key: a.Key, name: storable(a.Name), contentType: storable(a.ContentType),
			from: storable(a.From), wrong: a.Wrong, answer: r.called(), endless: a.Endless}
		if d.wrong == nil {
			d.spooled, err = spool(a.Body)
			switch kind := gangway.KindOf(err); {
			case err == nil:
			case ctx.Err() != nil || !settles(r.puller):
				return err
			case kind == gangway.Conflict:
				continue // somebody is changing it: it is for the next run
			case kind != gangway.Invalid && kind != gangway.Denied:
				return err // the connection broke: nothing is wrong with the document
			}
			d.wrong = err
		}
		if d.spooled != nil {
			room -= d.size
			r.progress.reads(d.spooled)
		}
		if len(r.documents) == 0 {
			r.have = a.Now
		} else {
			r.have = transport.Validators{} // of several pages none speaks for all
		}
		r.documents = append(r.documents, d)
	}
	return ctx.Err()
}

// readBefore reports whether a file or mail was read by a run before and could
// not be put away since.
func (r *feedRun) readBefore(ctx context.Context, key string) (bool, error) {
	if !settles(r.puller) {
		return false, nil
	}
	return r.in.FeedArrivalRead(ctx, r.lease.Feed, key)
}

// take takes in all documents that can be. One that cannot spoils no other:
// where there is one, each is tried alone first. One on which the mapping takes too much is the run's last.
func (r *feedRun) take(ctx context.Context) (accept.Run, error) {
	m, err := mapping.Compile(r.feed.Mapping, r.feed.Flow)
	if err != nil {
		return nil, err
	}
	taken, good, err := r.takeAll(ctx, m)
	if good || err != nil {
		return taken, err
	}
	taken.Close()
	place := r.p.placeFor(r.in.Scope().Account)
	for i, d := range r.documents {
		if i > 0 && mapping.Spent(r.documents[i-1].wrong) {
			if d.key != r.documents[i-1].key {
				r.documents, r.left = r.documents[:i], r.documents[i:]
				break
			}
			d.wrong = r.documents[i-1].wrong
		}
		if d.wrong != nil {
			continue
		}
		alone := r.newRun()
		err := d.takeIn(ctx, alone, m, r.feed.Format, r.ask.Ask, place)
		alone.Close()
		if err != nil && !isWrong(err) {
			return nil, err
		}
		d.wrong = err
	}
	taken, good, err = r.takeAll(ctx, m)
	if err == nil && !good {
		err = errors.New("a document that was right alone is wrong among others")
	}
	return taken, err
}

// takeAll takes in all documents that nothing is known to be wrong with, and
// reports whether nothing was.
func (r *feedRun) takeAll(ctx context.Context, m *mapping.Mapping) (taken accept.Run, good bool, err error) {
	taken = r.newRun()
	place := r.p.placeFor(r.in.Scope().Account)
	for _, d := range r.documents {
		if d.wrong != nil {
			continue
		}
		before := taken.Report()
		err := d.takeIn(ctx, taken, m, r.feed.Format, r.ask.Ask, place)
		after := taken.Report()
		d.refusals = span{len(before.Problems.List), len(after.Problems.List)}
		d.warnings = span{len(before.Warnings.List), len(after.Warnings.List)}
		if isWrong(err) {
			d.wrong = err
			return taken, false, nil
		}
		if err != nil {
			taken.Close()
			return nil, false, err
		}
	}
	return taken, true, nil
}

func (r *feedRun) newRun() accept.Run {
	from := gangway.Origin{Source: gangway.FeedSource(r.feed.Name), Generation: r.lease.Generation(), SeenAt: r.began}
	taken := accept.NewRun(r.feed.Flow, r.in.During(r.lease), from, r.ask.Ask, limits)
	r.progress.begins(taken)
	return taken
}

// isWrong reports whether err is about a document, in words for the customer.
func isWrong(err error) bool {
	var undecoded *decode.BrokenError
	return errors.As(err, new(*accept.BrokenError)) || errors.As(err, &undecoded) || errors.Is(err, decode.ErrEmpty) ||
		gangway.KindOf(err) == gangway.Invalid
}

// broken says why the run is given up where a document is wrong: none of a
// transport's that cannot put single ones away may be, and not all of one's that can.
func (r *feedRun) broken() error {
	i := r.firstWrong()
	if i < 0 || settles(r.puller) {
		return nil
	}
	if first := r.documents[i]; first.name != "" {
		return fmt.Errorf("%s: %w", first.name, first.wrong)
	}
	return r.documents[i].wrong
}

// firstWrong returns the place of the first document with which something is wrong; -1: there is none.
func (r *feedRun) firstWrong() int {
	return slices.IndexFunc(r.documents, func(d *document) bool { return d.wrong != nil })
}

// called reports whether a system gave the run's documents when it was called.
func (r *feedRun) called() bool { return r.lease.Given == nil && r.kind.Live }

// whole reports whether the run brought all there is, so that what it did not bring is removed.
func (r *feedRun) whole() bool {
	return r.feed.BringsAll(r.kind.Live) && len(r.documents) > 0 && r.firstWrong() < 0 && r.more == ""
}

// shorter returns the list for which the run is given up where the customer's system has suddenly
// much less than before: more often it is broken than everybody has left. How whoever is told of it may
// accept it all the same, pages and commands say, each in its own way.
//
// Decided: docs/choices.md, "Feeds".
func (r *feedRun) shorter(ctx context.Context, taken accept.Run) (none gangway.ShorterList, err error) {
	if r.ask.Shrunk || !r.whole() {
		return none, nil
	}
	gone, had, err := taken.Rest(ctx)
	r.had = max(had, r.feed.Size) // a run that was interrupted has stored some of them already
	report := taken.Report()
	if err != nil || !r.feed.TooMany(gone, r.had, report.Received-report.Refused) {
		return none, err
	}
	now := r.had - gone
	return gangway.ShorterList{Now: now, Before: r.had, New: max(0, report.Received-report.Refused-now)}, nil
}

// refusedFirst says how many records were refused, of some, and why the first was: that is what is wrong with the list.
// It has no value of a record.
func refusedFirst(report accept.Report) string {
	first := report.Problems.List[0]
	first.Value = ""
	records := "1 record was refused"
	if report.Refused > 1 {
		records = fmt.Sprintf("%d records were refused", report.Refused)
	}
	return records + ": " + strings.TrimSpace(reportOf([]gangway.FeedRemark{first}, ""))
}

// errImproper is an answer of a customer's system that is none, though it came with a good status: what was told last
// stays, as if the system had not answered.
//
// Decided: docs/choices.md, "Feeds".
var errImproper = gangway.Errorf(gangway.Invalid, "the system does not answer properly")

// allRefused returns the error of an answer of which every record was refused.
func allRefused(report accept.Report) error {
	if report.Refused == 0 || report.Refused < report.Came() {
		return nil
	}
	return fmt.Errorf("%w: %s", errImproper, refusedFirst(report))
}

// moreNotice is what admins are told of answers that hold less than there is.
const moreNotice = "its answers seem to be one page of several, so it removes nobody"

// noteMore notes in a run why there seems to be more than its answer held, and what admins are told of that. Empty: it
// does not seem so, or the feed's settings say that one page is everything.
func noteMore(f gangway.Feed, says decode.Envelope, run *gangway.FeedRun) (more string) {
	if more = says.More(run.Received + run.Passed); more == "" || f.Transport.OnePage() {
		return ""
	}
	run.Warnings = append([]gangway.FeedRemark{{Whole: true, Message: more}}, run.Warnings...)
	run.Notice = gangway.FeedNotice{Text: moreNotice, At: run.At}
	return more
}

// tell writes what was taken into the run.
func (r *feedRun) tell(run *gangway.FeedRun, report accept.Report) {
	*run = runOf(report)
	run.Ask = r.ask.Ask
	r.tellFailures(run)
}
