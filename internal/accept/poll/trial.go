package poll

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"time"

	"gangway/internal/accept"
	"gangway/internal/accept/decode"
	"gangway/internal/accept/mapping"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/transport"

	"github.com/go-json-experiment/json/jsontext"
)

// A Sample is a document to try a feed with, in place of fetching one.
type Sample struct {
	Name        string
	ContentType string
	Body        io.Reader
}

// A Trying says how a feed is tried.
type Trying struct {
	Feed   gangway.Feed  // it need not be set; its secrets are given
	Sample *Sample       // nil: it is fetched
	Ask    gangway.Ask   // what it is asked for
	Within time.Duration // how long it may take; 0: as long as a run that somebody waits for

	Propose bool             // its mapping is the one proposed from the first document
	Table   bool             // its mapping is wanted as a table over the first document, too
	Choices []mapping.Choice // the table that its mapping is written from; nil: none
	Over    bool             // they replace a program that no table can express
	Rest    bool             // it is wanted how many of the feed's records a run like this would remove
	Keep    int64            // how long the first document may be to be given back
	Hide    []string         // what is not shown of a sample that was fetched before: secrets
	Most    int64            // how long each document that is fetched may be; 0: as in a run
}

// A Trial is what a feed would bring.
type Trial struct {
	Report    accept.Report
	Records   []jsontext.Value // the first of those that would be stored, in the interface's spelling
	Examples  []accept.Example // they, and the first of those that there is something to say about
	Documents []TriedDocument
	First     []byte            // the first document as it came; nil: it is longer than was to be kept
	Proposal  *mapping.Proposal // nil: none was wanted, or there is no document to make it from
	Table     *mapping.Table    // nil: as Proposal
	Gone, Had int               // of the feed's records: that a run which brought just this would remove, and all
	Unfilled  []string          // fields of ours that no record had
	Unread    []string          // the first names of theirs that the mapping reads as no field of ours
	Error     string            // why it would be given up: a sentence; empty: it would not
	Took      time.Duration
}

// StoresNothing reports whether nothing would be stored of what came.
func (t Trial) StoresNothing() bool {
	return t.Report.Received == t.Report.Refused && (t.Error != "" || t.Report.Received > 0)
}

// A TriedDocument is a document that a feed was tried with.
type TriedDocument struct {
	Name, ContentType string
	Size              int64
	Head              string                 // its beginning, in the encoding that it is read in; empty: it is no text
	Cut               bool                   // Head is not all of it
	Format            gangway.DocumentFormat // as it was found; its kind is empty where none was
}

// triedRecords is how many records a trial shows, triedDocuments how many documents it fetches, and
// triedHead how many bytes of each it shows.
const (
	triedRecords   = 20
	triedDocuments = 20
	triedHead      = 4 << 10
)

// Try fetches what a feed would bring, or takes sample, and shows what would
// become of it. It stores nothing, and puts nothing away. The feed need not be
// set; its secrets are given.
func (p *Poller) Try(ctx context.Context, in store.Scoped, f gangway.Feed, sample *Sample,
	ask gangway.Ask) (Trial, error) {
	return p.TryWith(ctx, in, Trying{Feed: f, Sample: sample, Ask: ask})
}

// TryWith is Try for whoever sets a feed up.
func (p *Poller) TryWith(ctx context.Context, in store.Scoped, with Trying) (Trial, error) {
	f := with.Feed
	kind, err := p.Kind(f.Transport.Kind)
	if err != nil && with.Sample == nil {
		return Trial{}, err
	}
	m, err := mapping.Compile(f.Mapping, f.Flow)
	if err != nil && !with.Propose {
		return Trial{}, err
	}
	within := cmp.Or(with.Within, fetchPatience)
	if with.Sample == nil && f.Asked(kind.Live) {
		within = min(within, p.patience())
	}
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	began := p.now()
	from := gangway.Origin{Source: gangway.FeedSource(f.Name), Generation: p.db.Generation(), SeenAt: began}
	taken := accept.NewRun(f.Flow, in, from, with.Ask, limits)
	defer taken.Close()
	taken.Keep(triedRecords)
	t := trying{Trying: with, covers: mapping.NewCoverage(f.Flow),
		mapping: m, called: kind.Live && with.Sample == nil, runner: p.workers.Trial(in.Scope().Account), taken: taken,
		place: p.placeFor(in.Scope().Account)}
	defer func() {
		for _, d := range t.Documents {
			p.tidier.Leave(d.Size * timesInMemory)
		}
	}()
	err = p.arrivals(ctx, kind, with, func(a *transport.Arrival) error { return t.take(ctx, a) })
	if err == nil && with.Rest {
		t.Gone, t.Had, err = taken.Rest(ctx)
	}
	t.Unfilled, t.Unread = t.covers.Unfilled(), t.covers.Unread()
	t.Report, t.Examples, t.Took = taken.Report(), taken.Examples(), p.now().Sub(began)
	run := gangway.FeedRun{Received: t.Report.Received, Passed: t.Report.Passed, Warnings: t.Report.Warnings.List}
	noteMore(f, t.says, &run)
	t.Report.Warnings.List = run.Warnings
	for _, e := range t.Examples {
		if !e.Refused && len(t.Records) < triedRecords {
			t.Records = append(t.Records, e.JSON)
		}
	}
	switch {
	case err != nil && ctx.Err() != nil && len(t.Documents) > 0:
		t.Error = fmt.Sprintf("it was received, but reading and mapping it was not done within %s", seconds(within))
	case err != nil && ctx.Err() != nil:
		t.Error = fmt.Sprintf("it has not answered within %s", seconds(within))
	case err != nil:
		t.Error = p.told(ctx, in, f.Name, err)
	}
	if with.Sample == nil {
		with.Hide = append(with.Hide, kind.Texts(f.Transport.Settings)...)
	}
	t.hide(with.Hide)
	return t.Trial, nil
}

// seconds writes a length of time for people.
func seconds(d time.Duration) string { return fmt.Sprintf("%g seconds", d.Seconds()) }

// A trying is a trial under way.
type trying struct {
	Trying
	Trial
	mapping *mapping.Mapping
	runner  mapping.Runner
	covers  *mapping.Coverage
	called  bool // a system is called for its documents
	says    decode.Envelope
	taken   accept.Run
	place   placeOf
}

// take tries one document.
func (t *trying) take(ctx context.Context, a *transport.Arrival) error {
	s, err := spool(a.Body)
	if err != nil {
		return err
	}
	defer s.close()
	d := document{runner: t.runner, spooled: s, name: a.Name, contentType: a.ContentType, covers: t.covers,
		answer: t.called, endless: a.Endless}
	about := TriedDocument{Name: storable(a.Name), ContentType: a.ContentType, Size: s.size, Cut: s.size > triedHead}
	head, err := io.ReadAll(io.LimitReader(s.reader(), triedHead))
	if err != nil {
		return err
	}
	if !d.begins(gzipMark) {
		about.Head, _, _ = decode.Text(head, t.Feed.Format.Encoding, a.ContentType)
	}
	first := len(t.Documents) == 0
	if first && s.size <= t.Keep {
		if t.First, err = io.ReadAll(s.reader()); err != nil {
			return err
		}
	}
	t.Documents = append(t.Documents, about)
	if first && t.Propose {
		if err := t.propose(ctx, &d); err != nil {
			return err
		}
	}
	if first && t.Trying.Table {
		if err := t.tabulate(ctx, &d); err != nil {
			return err
		}
	}
	err = d.takeIn(ctx, t.taken, t.mapping, t.Feed.Format, t.Ask, t.place)
	t.Documents[len(t.Documents)-1].Format = d.format
	t.says.Add(d.says)
	return err
}

// propose makes the mapping from a document, which waits for a place as taking it in does: what is
// no list is read whole.
func (t *trying) propose(ctx context.Context, d *document) error {
	doc, done, err := d.openAt(ctx, t.Feed.Format, false, t.place)
	if err != nil {
		return err
	}
	defer done()
	proposal, err := mapping.Propose(ctx, t.runner, t.Feed.Flow, doc)
	if err != nil {
		return err
	}
	t.Proposal = &proposal
	t.mapping, err = mapping.Compile(proposal.Program, t.Feed.Flow)
	return err
}

// tabulate makes a table of the mapping, or the mapping of a table, as propose does.
func (t *trying) tabulate(ctx context.Context, d *document) error {
	program := t.Feed.Mapping
	if t.Proposal != nil {
		program = t.Proposal.Program
	}
	doc, done, err := d.openAt(ctx, t.Feed.Format, false, t.place)
	if err != nil {
		return err
	}
	defer done()
	table, err := mapping.Tabulate(ctx, t.runner, t.Feed.Flow, program, t.Choices, t.Over, doc)
	t.Trial.Table = &table
	if err != nil && t.Choices == nil {
		t.Trial.Table = nil // which taking it in says, with what came before
		return nil
	}
	if err == nil && t.Choices != nil {
		t.mapping, err = mapping.Compile(table.Program, t.Feed.Flow)
	}
	return err
}

// arrivals calls take with the sample, or with what the feed's transport brings.
func (p *Poller) arrivals(ctx context.Context, kind transport.Kind, with Trying,
	take func(*transport.Arrival) error) error {
	if sample := with.Sample; sample != nil {
		return take(&transport.Arrival{Name: sample.Name, ContentType: sample.ContentType, Body: sample.Body})
	}
	puller, err := p.open(with.Feed, kind)
	if err != nil {
		return err
	}
	most := cmp.Or(p.most, transport.MostBytes)
	if with.Most > 0 {
		most = min(most, with.Most)
	}
	n := 0
	for a, err := range puller.Pull(ctx, transport.Query{Ask: with.Ask, Most: most}) {
		if err == nil {
			err = a.Wrong
		}
		if err == nil {
			err = take(a)
		}
		if n++; err != nil || n == triedDocuments {
			return err
		}
	}
	return nil
}
