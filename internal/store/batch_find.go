package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"gangway/internal/gangway"
)

// A BatchLine is a batch without its items.
type BatchLine struct {
	ID, Search, Change string
	By                 gangway.User // only Email and Name
	All                int
	Pending            int // items without an outcome
	Missed             int // items that were not done as asked for, or not yet
	CreatedAt          time.Time
}

const batchLine = `
	SELECT b.id, b.search, b.change_key, b.by_whom, b.by_name, b.pending, b.created_at,
		(SELECT count(*) FROM batch_item i WHERE i.account = b.account AND i.batch = b.id),
		(SELECT count(*) FROM batch_item i WHERE i.account = b.account AND i.batch = b.id AND i.state <> 'done')
	FROM batch b
	WHERE b.account = $1`

func scanBatchLine(row scanner) (b BatchLine, err error) {
	err = row.Scan(&b.ID, &b.Search, &b.Change, &b.By.Email, &b.By.Name, &b.Pending, when(&b.CreatedAt), &b.All,
		&b.Missed)
	return b, err
}

// LastBatch returns the batch that was begun last for a search; one that is being
// worked on comes before all others.
func (s Scoped) LastBatch(ctx context.Context, search string) (b BatchLine, found bool, err error) {
	b, err = scanBatchLine(s.db.reader.QueryRowContext(ctx, batchLine+` AND b.search = $2
		ORDER BY CASE WHEN b.pending > 0 THEN 0 ELSE 1 END, b.created_at DESC, b.id
		LIMIT 1`,
		s.account, search))
	if errors.Is(err, sql.ErrNoRows) {
		return b, false, nil
	}
	return b, true, wrapf(err, "last batch of search %s", search)
}

// batchesListed bounds how many of an account's batches under way are listed.
const batchesListed = 100

// BatchesUnderWay returns the batches for crew changes that are being worked on,
// by the crew change's key; one if there are several for the same.
func (s Scoped) BatchesUnderWay(ctx context.Context) (map[string]BatchLine, error) {
	list, err := selectAll(ctx, s.db.reader, scanBatchLine, batchLine+` AND b.change_key <> '' AND b.pending > 0
		ORDER BY b.change_key, b.id
		LIMIT $2`,
		s.account, batchesListed)
	if err != nil {
		return nil, fmt.Errorf("batches under way: %w", err)
	}
	byChange := map[string]BatchLine{}
	for _, b := range list {
		byChange[b.Change] = b
	}
	return byChange, nil
}
