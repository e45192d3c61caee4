package store

import (
	"cmp"
	"context"
	"database/sql"

	"gangway/internal/gangway"
)

// A Ledger stores suppliers' documents for one account. It does not look inside them.
type Ledger struct{ s Scoped }

// Ledger returns the account's Ledger.
func (s Scoped) Ledger() Ledger { return Ledger{s} }

// Load returns a document and its version. NotFound: there is none.
func (l Ledger) Load(ctx context.Context, id string) (doc []byte, version int, err error) {
	return l.load(ctx, `id = $2`, id)
}

// LoadByReference returns the document that was saved under reference. NotFound: there is none.
func (l Ledger) LoadByReference(ctx context.Context, reference string) (doc []byte, version int, err error) {
	return l.load(ctx, `reference = $2`, reference)
}

func (l Ledger) load(ctx context.Context, which, value string) (doc []byte, version int, err error) {
	err = l.s.db.reader.QueryRowContext(ctx, `
		SELECT doc, version
		FROM supplier_document
		WHERE account = $1 AND `+which, l.s.account, value).Scan(&doc, &version)
	return doc, version, notFoundOr(err, "no such document of a supplier")
}

// Scan calls each for the documents whose id is from first up to, but not including, after, in the
// order of their ids.
func (l Ledger) Scan(ctx context.Context, first, after string, each func(gangway.Document) error) error {
	query := `
		SELECT id, reference, doc, version
		FROM supplier_document
		WHERE account = $1 AND id >= $2 AND id < $3
		ORDER BY id`
	err := eachRow(ctx, l.s.db.reader, query, []any{l.s.account, first, after}, func(row scanner) error {
		var d gangway.Document
		if err := row.Scan(&d.ID, &d.Reference, &d.Doc, &d.Version); err != nil {
			return err
		}
		return each(d)
	})
	return wrapf(err, "scan documents of suppliers")
}

// Save writes documents, all or none: version 1 of a new one, or the version
// after the one that was loaded. Conflict: an id or a reference is taken, or
// somebody else wrote first.
func (l Ledger) Save(ctx context.Context, docs ...gangway.Document) error {
	return l.s.writeUnseen(ctx, func(tx *sql.Tx) error {
		for _, d := range docs {
			if err := l.save(ctx, tx, d); err != nil {
				return err
			}
		}
		return nil
	})
}

func (l Ledger) save(ctx context.Context, tx *sql.Tx, d gangway.Document) error {
	query := `
		UPDATE supplier_document
		SET doc = $4, version = $5
		WHERE account = $1 AND id = $2 AND reference = $3 AND version = $5 - 1`
	if d.Version == 1 {
		query = `
			INSERT INTO supplier_document (account, id, reference, doc, version)
			VALUES ($1, $2, $3, $4, $5)
			ON CONFLICT DO NOTHING`
	}
	d.Reference = cmp.Or(d.Reference, d.ID) // nobody looks it up by anything else
	n, err := changed(tx.ExecContext(ctx, query, l.s.account, d.ID, d.Reference, string(d.Doc), d.Version))
	if err == nil && n == 0 {
		return gangway.Errorf(gangway.Conflict, "a document of the supplier was changed by someone else")
	}
	return wrapf(err, "save document %s of a supplier", d.ID)
}
