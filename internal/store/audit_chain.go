package store

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"time"

	"gangway/internal/gangway"

	"github.com/go-json-experiment/json"
)

// The audit entries of a customer form a chain: the hash of each covers the hash of the one before. A worker adds
// entries after they were committed, so that nobody waits for a turn to write one; their order in the chain is the
// order in which they were added.
//
// What an entry says of people enters as a salted digest. Erasure deletes the values and the salt: the digest then
// reveals nothing, and the chain stays whole.
//
// Decided: docs/choices.md, "The audit log".

// digestEntry returns the digest of what e says of people: who did it, from where, and to what.
func digestEntry(e gangway.AuditEntry, salt string) string {
	return hashValues(salt, e.By.Who(), e.By.From, e.Before, e.After)
}

// hashEntry returns the hash of e after the entry with the hash previous.
func hashEntry(e gangway.AuditEntry, previous string) string {
	return hashValues(previous, e.Link.Seq, e.At.UTC().Format(time.RFC3339Nano), e.Customer, e.Environment, e.What,
		e.Link.Digest)
}

// hashValues returns the SHA-256 of a JSON array, in a form that other languages write too: without blanks, with the
// members of objects in the order of their names.
func hashValues(values ...any) string {
	// What was read from JSON can be written as JSON.
	doc, _ := json.Marshal(values, json.Deterministic(true), json.FormatNilMapAsNull(true))
	sum := sha256.Sum256(doc)
	return hex.EncodeToString(sum[:])
}

// A chain is where a customer's chain ends, and where what is kept of it begins: after the entry removed, whose hash
// mac signs.
type chain struct {
	seq, removed           int64
	hash, removedHash, mac string
}

const chainColumns = `seq, hash, removed, removed_hash, mac`

func scanChain(row scanner) (c chain, err error) {
	return c, row.Scan(&c.seq, &c.hash, &c.removed, &c.removedHash, &c.mac)
}

// changeChain has do change the row of a customer's chain, which is locked.
func (db *DB) changeChain(ctx context.Context, customer string, do func(*sql.Tx, *chain) error) error {
	return db.write(ctx, func(tx *sql.Tx) error {
		c, err := scanChain(tx.QueryRowContext(ctx, `
			INSERT INTO audit_chain (customer, seq, hash) VALUES ($1, 0, '')
			ON CONFLICT (customer) DO UPDATE SET seq = audit_chain.seq
			RETURNING `+chainColumns, customer))
		if err == nil {
			err = do(tx, &c)
		}
		if err == nil {
			_, err = tx.ExecContext(ctx, `
				UPDATE audit_chain SET seq = $2, hash = $3, removed = $4, removed_hash = $5, mac = $6 WHERE customer = $1`,
				customer, c.seq, c.hash, c.removed, c.removedHash, c.mac)
		}
		return err
	})
}

// ChainAudit gives some entries of a customer their places in its chain, and reports whether there were any. Replicas
// take turns at a customer.
func (db *DB) ChainAudit(ctx context.Context) (some bool, err error) {
	var customer string
	err = db.reader.QueryRowContext(ctx, `
		SELECT customer FROM audit WHERE seq = 0 ORDER BY customer, at, id LIMIT 1`).Scan(&customer)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err == nil {
		err = db.changeChain(ctx, customer, func(tx *sql.Tx, c *chain) error { return c.append(ctx, tx, customer) })
	}
	return err == nil, wrapf(err, "chain the audit log")
}

func (c *chain) append(ctx context.Context, tx *sql.Tx, customer string) error {
	list, err := selectAll(ctx, tx, scanEntry, `
		SELECT `+entryColumns+` FROM audit WHERE customer = $1 AND seq = 0 ORDER BY at, id LIMIT 200`, customer)
	for _, e := range list {
		c.seq++
		salt := rand.Text()
		e.Link = gangway.AuditLink{Seq: c.seq, Salt: salt, Digest: digestEntry(e, salt)}
		c.hash = hashEntry(e, c.hash)
		if err == nil {
			_, err = tx.ExecContext(ctx, `UPDATE audit SET seq = $2, salt = $3, digest = $4, hash = $5 WHERE id = $1`,
				e.ID, c.seq, salt, e.Link.Digest, c.hash)
		}
	}
	return err
}

// ForgetAudit removes the entries of a customer from before a time, at most limit of them, and returns how many it
// removed. It removes only the beginning of the chain, and leaves an anchor there: the hash that the rest continues
// from, signed with a key that is derived from the sealing key.
func (db *DB) ForgetAudit(ctx context.Context, customer string, before time.Time, limit int) (n int, err error) {
	err = db.changeChain(ctx, customer, func(tx *sql.Tx, c *chain) error {
		var kept int64 // the first entry that stays
		err := tx.QueryRowContext(ctx, `
			SELECT coalesce((SELECT seq FROM audit WHERE customer = $1 AND seq > 0 AND at >= $2 ORDER BY seq LIMIT 1), $3)`,
			customer, millis(before), c.seq+1).Scan(&kept)
		last := min(kept-1, c.removed+int64(limit))
		if err != nil || last <= c.removed {
			return err
		}
		c.removed = last
		err = tx.QueryRowContext(ctx, `SELECT hash FROM audit WHERE customer = $1 AND seq = $2`, customer,
			last).Scan(&c.removedHash)
		if err == nil {
			c.mac, err = db.signAnchor(customer, *c, "")
		}
		if err == nil {
			n, err = changed(tx.ExecContext(ctx, `DELETE FROM audit WHERE customer = $1 AND seq BETWEEN 1 AND $2`, customer, last))
		}
		return err
	})
	return n, wrapf(err, "remove old entries of the audit log")
}

// signAnchor returns the signature of an anchor with the newest key, if it had none or one of a key that was given.
// Otherwise, and without keys, it returns the one it had.
func (db *DB) signAnchor(customer string, c chain, had string) (string, error) {
	if db.sealer == nil {
		return had, nil
	}
	keys, err := db.sealer.Derive("gangway audit anchor")
	var macs []string
	for _, key := range keys {
		h := hmac.New(sha256.New, key)
		fmt.Fprintf(h, "%s %d %s", customer, c.removed, c.removedHash)
		macs = append(macs, hex.EncodeToString(h.Sum(nil)))
	}
	if err == nil && (had == "" || slices.Contains(macs, had)) {
		return macs[0], nil
	}
	return had, err
}

// resignAnchors signs the anchors with the newest key. One that an unknown key has signed stays as it is: gangway
// verify names it.
func (db *DB) resignAnchors(ctx context.Context) error {
	customers, err := selectAll(ctx, db.reader, column[string], `SELECT customer FROM audit_chain WHERE removed > 0 AND mac <> ''`)
	for _, customer := range customers {
		if err == nil {
			err = db.changeChain(ctx, customer, func(_ *sql.Tx, c *chain) (err error) {
				c.mac, err = db.signAnchor(customer, *c, c.mac)
				return err
			})
		}
	}
	return wrapf(err, "sign the anchors of the audit log again")
}

// eraseAudit empties the entries that name a traveller by the customer's identifier, but for those that record an
// erasure: they say when something was shown or taken back, by whom and from where, and no longer whose it was.
func (s Scoped) eraseAudit(ctx context.Context, tx *sql.Tx, e *erasing) error {
	for _, id := range e.identifiers() {
		quoted, _ := json.Marshal(id) // a text can be written
		if _, err := tx.ExecContext(ctx, `
			UPDATE audit SET was = '', became = '{"erased":true}', salt = ''
			WHERE customer = (SELECT customer FROM account WHERE id = $1) AND what IN ($3, $4) AND was || became LIKE $2 ESCAPE '\'`,
			s.account, `%"traveller":`+likeLiterally.Replace(string(quoted))+`%`, string(gangway.DocumentShown),
			string(gangway.TravellerTakenBack)); err != nil {
			return fmt.Errorf("erase from the audit log: %w", err)
		}
	}
	return nil
}

// checkAudit follows the chain of each customer from its anchor to its end, at one moment.
func (db *DB) checkAudit(ctx context.Context, f *finding) error {
	customers, err := selectAll(ctx, db.reader, column[string],
		`SELECT customer FROM audit_chain UNION SELECT customer FROM audit WHERE seq > 0`)
	for _, customer := range customers {
		if err == nil {
			f.in = customer
			err = db.snapshot(ctx, func(tx *sql.Tx) error { return db.checkChain(ctx, tx, f, customer) })
		}
	}
	return err
}

func (db *DB) checkChain(ctx context.Context, tx *sql.Tx, f *finding, customer string) error {
	end, err := scanChain(tx.QueryRowContext(ctx, `SELECT `+chainColumns+` FROM audit_chain WHERE customer = $1`, customer))
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	newest, _ := db.signAnchor(customer, end, "")     // empty without a key
	again, _ := db.signAnchor(customer, end, end.mac) // the newest, if a key that was given has signed it
	f.look(end.removed > 0 && (end.mac == "" || again != newest), "no key that was given has signed it", "anchor",
		end.removed)
	seq, hash := end.removed, end.removedHash
	err = eachRow(ctx, tx, `SELECT `+entryColumns+` FROM audit WHERE customer = $1 AND seq > 0 ORDER BY seq`,
		[]any{customer}, func(row scanner) error {
			e, err := scanEntry(row)
			erased := e.Link.Salt == "" && len(e.Before) == 0 && len(e.After) == 1 && e.After["erased"] == true &&
				(e.What == gangway.DocumentShown || e.What == gangway.TravellerTakenBack)
			f.look(err != nil || e.Link.Seq != seq+1 || e.Link.Hash != hashEntry(e, hash) || !erased && e.Link.Digest !=
				digestEntry(e, e.Link.Salt), "it was changed, or one before it is missing", "seq", e.Link.Seq)
			seq, hash = e.Link.Seq, e.Link.Hash
			return nil
		})
	f.look(seq != end.seq || hash != end.hash, fmt.Sprintf("the chain should end with %d", end.seq), "seq", seq)
	return err
}
