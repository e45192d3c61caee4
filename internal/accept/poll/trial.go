package poll

import (
	"context"
	"fmt"
	"io"

	"gangway"
	"gangway/internal/accept"
	"gangway/internal/accept/mapping"
	"gangway/internal/store"
	"gangway/internal/transport"

	"github.com/go-json-experiment/json/jsontext"
)

// A Sample is a document to try a feed with, in place of fetching one.
type Sample struct {
	Name string
	Body io.Reader
}

// A Trial is what a feed would bring.
type Trial struct {
	Report    accept.Report
	Records   []jsontext.Value         // the first of those that would be stored, in the interface's spelling
	Documents []string                 // their names
	Formats   []gangway.DocumentFormat // as they were found
	Error     string                   // why it would be given up: a sentence; empty: it would not
}

// triedRecords is how many records a trial shows, and triedDocuments how many documents it fetches.
const (
	triedRecords   = 20
	triedDocuments = 20
)

// Try fetches what a feed would bring, or takes sample, and shows what would
// become of it. It stores nothing, and puts nothing away. The feed need not be
// set; its secrets are given.
func (p *Poller) Try(ctx context.Context, in store.Scoped, f gangway.Feed, sample *Sample,
	ask gangway.Ask) (Trial, error) {
	kind, err := p.Kind(f.Transport.Kind)
	if err != nil {
		return Trial{}, err
	}
	m, err := mapping.Compile(f.Mapping, f.Flow)
	if err != nil {
		return Trial{}, err
	}
	patience := fetchPatience
	if !f.Scheduled(kind.Live) {
		patience = p.patience
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	from := gangway.Origin{Source: gangway.FeedSource(f.Name), Generation: p.db.Generation(), SeenAt: p.now()}
	taken := accept.NewRun(f.Flow, in, from, ask, limits)
	defer taken.Close()
	taken.Keep(triedRecords)
	var t Trial
	err = p.arrivals(ctx, f, kind, sample, ask, func(a *transport.Arrival) error {
		s, err := spool(a.Body)
		if err != nil {
			return err
		}
		defer s.close()
		d := document{spooled: s, name: a.Name, contentType: a.ContentType}
		t.Documents = append(t.Documents, a.Name)
		err = d.takeIn(ctx, taken, m, f.Format, ask)
		t.Formats = append(t.Formats, d.format)
		return err
	})
	t.Report, t.Records = taken.Report(), taken.Examples()
	switch {
	case err != nil && ctx.Err() != nil:
		t.Error = fmt.Sprintf("it has not answered within %s", patience)
	case err != nil:
		t.Error = sentence(err)
	}
	return t, nil
}

// arrivals calls take with the sample, or with what the feed's transport brings.
func (p *Poller) arrivals(ctx context.Context, f gangway.Feed, kind transport.Kind, sample *Sample, ask gangway.Ask,
	take func(*transport.Arrival) error) error {
	if sample != nil {
		return take(&transport.Arrival{Name: sample.Name, Body: sample.Body})
	}
	puller, err := p.open(f, kind)
	if err != nil {
		return err
	}
	n := 0
	for a, err := range puller.Pull(ctx, transport.Query{Ask: ask, Most: mostBytes}) {
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
