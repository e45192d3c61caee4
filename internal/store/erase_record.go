package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"gangway/internal/erasure"
	"gangway/internal/gangway"
)

// eraseRow deletes a row that is about the traveller alone. If sources disagree
// on who it is about, the versions of those that name somebody else stay.
func (s Scoped) eraseRow(ctx context.Context, tx *sql.Tx, row travellerRow, e *erasing) error {
	docs, err := row.lock(ctx, tx)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("erase from %s: %w", row.holder.table, err)
	}
	list, err := row.holder.read(docs...)
	if err != nil || !slices.ContainsFunc(list, e.has) {
		return err // by now the row is about somebody else
	}
	if err := s.eraseRecord(ctx, tx, row, docs[1], list, e); err != nil {
		return fmt.Errorf("erase from %s: %w", row.holder.table, err)
	}
	if row.holder.table == "traveller" {
		e.done.Travellers++
	} else {
		e.done.Requests++
	}
	return nil
}

// eraseRecord erases the traveller from a record: from its row and from the
// claims of other sources. list says who the row, and then each claim, is about.
func (s Scoped) eraseRecord(ctx context.Context, tx *sql.Tx, row travellerRow, outranked string,
	list []gangway.Traveller, e *erasing) error {
	claims, err := readClaims(outranked)
	if err != nil {
		return err
	}
	var left []claim
	for i, c := range claims {
		if !e.has(list[1+i]) {
			left = append(left, c)
		}
	}
	r := travellerRecords
	if row.holder.table == requestRecords.table {
		r = requestRecords
	}
	if len(left) < len(claims) {
		values := slices.Concat(row.key, []any{writeClaims(left)})
		if _, err := tx.ExecContext(ctx, r.setClaims(), values...); err != nil {
			return err
		}
	}
	if e.has(list[0]) {
		if _, err := s.withdraw(ctx, tx, r, r.keyIs(2), row.key[1:]...); err != nil || len(left) == 0 {
			return err
		}
	}
	return row.retrace(ctx, tx, slices.DeleteFunc(slices.Clone(list), e.has))
}

func (s Scoped) eraseFromCrewChange(ctx context.Context, tx *sql.Tx, row travellerRow, e *erasing) error {
	had, err := row.lock(ctx, tx)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("erase from a crew change: %w", err)
	}
	c, doc, err := e.fromCrewChange(changeTexts{doc: had[0], dropped: had[2], news: had[4]})
	if err != nil {
		return err
	}
	list := crewChangeTravellers(c)
	claims, err := readClaims(had[1] + had[3])
	if err != nil {
		return err
	}
	for i := range claims {
		other, doc, err := e.fromCrewChange(changeTexts{doc: string(claims[i].Doc)})
		if err != nil {
			return err
		}
		claims[i].Doc = rawDoc(doc)
		list = append(list, crewChangeTravellers(other)...)
	}
	dropped, err := writeBeside(c.Dropped, len(c.Dropped) > 0)
	news, wrong := writeBeside(c.News, c.News != nil)
	if err = cmp.Or(err, wrong); err != nil {
		return err
	}
	others := strings.Count(had[1], "\n") // the rest is what it was before it moved
	_, err = tx.ExecContext(ctx, `
		UPDATE crew_change
		SET doc = $3, dropped = $4, outranked = $5, former = $6, news = $7, version = version + 1
		WHERE account = $1 AND key = $2`,
		s.account, row.id(), doc, dropped, writeClaims(claims[:others]), writeClaims(claims[others:]), news)
	if err != nil {
		return fmt.Errorf("erase from a crew change: %w", err)
	}
	e.done.CrewChanges++
	return row.retrace(ctx, tx, list)
}

// fromCrewChange returns a crew change without the traveller, and its document.
func (e *erasing) fromCrewChange(texts changeTexts) (gangway.CrewChange, string, error) {
	c, err := texts.read("")
	if err != nil {
		return c, "", err
	}
	erasure.EraseMembers(&c, e.has, e.known)
	written, err := CrewChangeRows([]gangway.CrewChange{c})
	if err != nil {
		return c, "", err
	}
	return c, written[0].doc(), nil
}

// eraseBatchItem empties items of batches that have an outcome. The outcome
// stays, but without its words.
const eraseBatchItem = `
	UPDATE batch_item
	SET doc = '{}', traced = 0, outcome = CASE WHEN outcome = '' THEN outcome ELSE 'the traveller was erased' END
	WHERE account = $1 AND state <> 'open'`

// eraseBatchItem empties the traveller's item in a batch. Conflict: it has no
// outcome yet.
func (s Scoped) eraseBatchItem(ctx context.Context, tx *sql.Tx, row travellerRow, e *erasing) error {
	if _, err := row.lock(ctx, tx); errors.Is(err, sql.ErrNoRows) {
		return nil
	} else if err != nil {
		return fmt.Errorf("erase from a batch: %w", err)
	}
	if err := s.refuseOpenItem(ctx, tx, row); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, eraseBatchItem+` AND batch = $2 AND booking = $3`, row.key...); err != nil {
		return fmt.Errorf("erase from a batch: %w", err)
	}
	e.done.Batches++
	return row.retrace(ctx, tx, nil)
}

// refuseOpenItem returns a Conflict when an item of a batch has no outcome yet.
func (s Scoped) refuseOpenItem(ctx context.Context, q querier, row travellerRow) error {
	open, err := column[bool](q.QueryRowContext(ctx, `
		SELECT EXISTS (
			SELECT 1
			FROM batch_item
			WHERE account = $1 AND batch = $2 AND booking = $3 AND state = 'open')`,
		row.key...))
	if err != nil {
		return fmt.Errorf("read whether an item of a batch is open: %w", err)
	}
	if open {
		return errBeingBooked
	}
	return nil
}
