package store

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	"gangway/internal/gangway"
)

// A Spend is what is about to be spent of a limit for moves, instead of asking for approval.
type Spend struct {
	Limit  gangway.MoveLimit
	Change string        // the key of the crew change
	Of     string        // the booking that is changed or replaced; empty: it is the person's first
	Amount gangway.Money // in the limit's currency
	By     gangway.Actor
}

// ErrOverLimit says that a limit for moves does not allow for an amount any more: approval is needed as ever.
var ErrOverLimit = gangway.Errorf(gangway.Denied, "the limit for moves in advance does not allow for it any more")

// spentOn is what was spent, of what was not refused afterwards.
const spentOn = `
	SELECT coalesce(sum(m.amount), 0), coalesce(sum(CASE WHEN m.root = $4 THEN m.amount ELSE 0 END), 0)
	FROM move_spent m
	LEFT JOIN intent i ON i.account = m.account AND i.id = m.id
	WHERE m.account = $1 AND m.move_limit = $2 AND m.change_key = $3 AND (i.id IS NULL OR i.open = 1 OR i.outcome = 'done')`

// spend counts what an intent spends, and notes it in the audit log. The account is locked, so that all runs at all
// replicas count one after another. ErrOverLimit: the limit is another one now, or does not allow for it.
func (s Scoped) spend(ctx context.Context, tx *sql.Tx, i Intent) error {
	p := i.Spend
	if p == nil {
		return nil
	}
	doc, err := column[[]byte](tx.QueryRowContext(ctx, `SELECT settings FROM account WHERE id = $1`, s.account))
	if err != nil {
		return fmt.Errorf("read the limit for moves: %w", err)
	}
	var settings gangway.Settings
	if err := json.Unmarshal(doc, &settings); err != nil || settings.Moves != p.Limit {
		return cmp.Or(err, error(ErrOverLimit))
	}
	root := i.ID
	if p.Of != "" {
		root = p.Of
		if err := tx.QueryRowContext(ctx, `SELECT coalesce(max(root), $2) FROM move_spent WHERE account = $1 AND id = $2`,
			s.account, p.Of).Scan(&root); err != nil {
			return fmt.Errorf("read what was spent on a person: %w", err)
		}
	}
	var change, person int64
	err = tx.QueryRowContext(ctx, spentOn, s.account, p.Limit.ID, p.Change, root).Scan(&change, &person)
	if err != nil {
		return fmt.Errorf("read what was spent on moves: %w", err)
	}
	change, person = change+p.Amount.Minor, person+p.Amount.Minor
	if !p.Limit.Allows(person, change) {
		return ErrOverLimit
	}
	if _, err := tx.ExecContext(ctx, `
		INSERT INTO move_spent (account, id, move_limit, change_key, root, amount, at)
		VALUES ($1, $2, $3, $4, $5, $6, $7)`,
		s.account, i.ID, p.Limit.ID, p.Change, root, p.Amount.Minor, millis(i.CreatedAt)); err != nil {
		return fmt.Errorf("count what is spent on moves: %w", err)
	}
	sum := gangway.Money{Minor: change, Currency: p.Amount.Currency}
	return s.record(ctx, tx, gangway.AuditEntry{At: i.CreatedAt, By: p.By, What: gangway.MoveLimitUsed,
		After: map[string]any{"booking": i.Booking, "crew_change": p.Change, "amount": p.Amount.String(),
			"spent_on_crew_change": sum.String(), "limit": p.Limit.Person.String() + " per person, " +
				p.Limit.Change.String() + " per crew change, until " + string(p.Limit.Until),
			"approved_by": p.Limit.By}})
}

// MovesSpent returns what was spent of a limit on a crew change.
func (s Scoped) MovesSpent(ctx context.Context, l gangway.MoveLimit, change string) (gangway.Money, error) {
	spent, person := gangway.Money{Currency: l.Change.Currency}, int64(0)
	err := s.db.reader.QueryRowContext(ctx, spentOn, s.account, l.ID, change, "").Scan(&spent.Minor, &person)
	return spent, wrapf(err, "read what was spent on moves")
}

// claim notes on a booking that another one, which is about to be made, takes its place. Conflict: it does not stand,
// or one does so already.
func (s Scoped) claim(ctx context.Context, tx *sql.Tx, id, by string) error {
	b, err := s.lockBooking(ctx, tx, id)
	if err != nil {
		return err
	}
	if !b.Live() {
		return gangway.Errorf(gangway.Conflict, "booking %s does not stand any more", b.Locator)
	}
	if err := b.MayBeReplaced(); err != nil {
		return err
	}
	if b.ReplacedBy != "" {
		other, err := s.booking(ctx, tx, b.ReplacedBy)
		switch {
		case err == nil && other.Live() && other.Replaces.Open():
			return gangway.Errorf(gangway.Conflict, "booking %s replaces %s already", other.Locator, b.Locator)
		case err != nil && gangway.KindOf(err) != gangway.NotFound:
			return err
		case err != nil:
			open, err := column[int](tx.QueryRowContext(ctx, `
				SELECT count(*)
				FROM intent
				WHERE account = $1 AND id = $2 AND open = 1`,
				s.account, b.ReplacedBy))
			if err != nil || open > 0 {
				return cmp.Or(err, ErrUnderWay)
			}
		}
	}
	b.ReplacedBy = by
	return s.saveBooking(ctx, tx, b, gangway.Action{})
}
