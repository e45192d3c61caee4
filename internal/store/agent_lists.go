package store

import (
	"context"
	"database/sql"
	"strings"
	"time"

	"gangway/internal/gangway"
)

// An AgentList is a list of a crew change's flights that was sent to a ship's agent.
type AgentList struct {
	ID     string
	Change string // key of the crew change
	gangway.Stamp
	To      []string
	Outcome ListOutcome
	Rows    map[string]string // what each booking's row said
}

// A ListOutcome says what became of a list.
type ListOutcome string

const (
	ListSending ListOutcome = "sending"     // or nobody knows
	ListTaken   ListOutcome = "sent"        // the mail server has it
	ListFailed  ListOutcome = "unconfirmed" // the mail server did not say that it has it
)

// listsAnHour is how many lists an account sends within an hour, and listsShown how many a crew change shows.
const (
	listsAnHour = 30
	listsShown  = 20
)

// BeginList notes a list that is about to be sent. Conflict: too many were within the last hour.
func (s Scoped) BeginList(ctx context.Context, by gangway.Actor, l AgentList) error {
	return s.write(ctx, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `
			INSERT INTO agent_list (account, id, change_key, sent_at, sent_by, sent_name, sent_to, outcome)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
			s.account, l.ID, l.Change, millis(l.At), l.By, l.ByName, strings.Join(l.To, " "), ListSending); err != nil {
			return wrapf(err, "note a list for an agent")
		}
		var recent int
		if err := tx.QueryRowContext(ctx, `
			SELECT count(*)
			FROM (SELECT 1 FROM agent_list WHERE account = $1 AND sent_at > $2 LIMIT $3) l`,
			s.account, millis(l.At.Add(-time.Hour)), listsAnHour+1).Scan(&recent); err != nil {
			return wrapf(err, "count lists for agents")
		}
		if recent > listsAnHour {
			return gangway.Errorf(gangway.Conflict, "%d lists were sent within an hour: send this one later",
				listsAnHour)
		}
		var rows [][]any
		for id, words := range l.Rows {
			rows = append(rows, []any{s.account, l.ID, id, words})
		}
		columns := []string{"account", "list", "booking", "words"}
		if err := insertMany(ctx, tx, "agent_list_row", columns, rows); err != nil {
			return wrapf(err, "note the rows of a list")
		}
		return s.record(ctx, tx, gangway.AuditEntry{At: l.At, By: by, What: gangway.ListSent, After: map[string]any{
			"list": l.ID, "to": l.To, "rows": len(l.Rows)}})
	})
}

// EndList notes what became of a list.
func (s Scoped) EndList(ctx context.Context, id string, outcome ListOutcome) error {
	return s.write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE agent_list SET outcome = $3 WHERE account = $1 AND id = $2`,
			s.account, id, outcome)
		return wrapf(err, "note what became of a list")
	})
}

// AgentLists returns the latest lists of a crew change, the newest first, with the rows of the newest that may have
// arrived.
func (s Scoped) AgentLists(ctx context.Context, change string) ([]AgentList, error) {
	list, err := selectAll(ctx, s.db.reader, func(row scanner) (l AgentList, err error) {
		var to string
		err = row.Scan(&l.ID, &l.Change, when(&l.At), &l.By, &l.ByName, &to, &l.Outcome)
		l.To = strings.Fields(to)
		return l, err
	}, `
		SELECT id, change_key, sent_at, sent_by, sent_name, sent_to, outcome
		FROM agent_list
		WHERE account = $1 AND change_key = $2
		ORDER BY sent_at DESC
		LIMIT $3`,
		s.account, change, listsShown)
	for i := range list {
		if list[i].Outcome == ListFailed {
			continue
		}
		list[i].Rows = map[string]string{}
		err = eachRow(ctx, s.db.reader, `
			SELECT booking, words
			FROM agent_list_row
			WHERE account = $1 AND list = $2`,
			[]any{s.account, list[i].ID}, func(row scanner) error {
				booking, words := "", ""
				err := row.Scan(&booking, &words)
				list[i].Rows[booking] = words
				return err
			})
		break
	}
	return list, wrapf(err, "list what agents were sent")
}
