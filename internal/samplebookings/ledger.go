package samplebookings

import (
	"context"
	"maps"
	"slices"

	"gangway/internal/gangway"
)

// A ledger has the simulated airlines' orders of one party, in memory: nobody asks for them again.
type ledger struct {
	docs       map[string]gangway.Document
	references map[string]string // the id that was saved under each
}

func newLedger() *ledger {
	return &ledger{map[string]gangway.Document{}, map[string]string{}}
}

var errNoDocument = gangway.Errorf(gangway.NotFound, "there is no such document")

// Load returns a document and its version. NotFound: there is none.
func (l *ledger) Load(_ context.Context, id string) (doc []byte, version int, err error) {
	d, ok := l.docs[id]
	if !ok {
		return nil, 0, errNoDocument
	}
	return d.Doc, d.Version, nil
}

// LoadByReference returns the document that was saved under reference. NotFound: there is none.
func (l *ledger) LoadByReference(ctx context.Context, reference string) (doc []byte, version int, err error) {
	id, ok := l.references[reference]
	if !ok {
		return nil, 0, errNoDocument
	}
	return l.Load(ctx, id)
}

// Scan calls each for the documents whose id is from first up to, but not including, after, in order.
func (l *ledger) Scan(_ context.Context, first, after string, each func(gangway.Document) error) error {
	for _, id := range slices.Sorted(maps.Keys(l.docs)) {
		if id >= first && id < after {
			if err := each(l.docs[id]); err != nil {
				return err
			}
		}
	}
	return nil
}

// Save writes all documents or none. Conflict: another version was written first.
func (l *ledger) Save(_ context.Context, docs ...gangway.Document) error {
	for _, d := range docs {
		if l.docs[d.ID].Version != d.Version-1 {
			return gangway.Errorf(gangway.Conflict, "document %s was changed", d.ID)
		}
	}
	for _, d := range docs {
		l.docs[d.ID] = d
		if d.Reference != "" {
			l.references[d.Reference] = d.ID
		}
	}
	return nil
}
