package store

import (
	"context"
	"database/sql"
	"strings"
	"time"

	"gangway/internal/gangway"
)

// PortAgent returns the ship's agent in a port; one without a name if there is none.
func (s Scoped) PortAgent(ctx context.Context, port gangway.Place) (gangway.PortAgent, error) {
	return portAgent(ctx, s.db.reader, s.account, port)
}

func portAgent(ctx context.Context, q querier, account string, port gangway.Place) (gangway.PortAgent, error) {
	a := gangway.PortAgent{Port: port}
	var mail string
	err := q.QueryRowContext(ctx, `
		SELECT name, phone, mail
		FROM port_agent
		WHERE account = $1 AND port = $2`,
		account, port).Scan(&a.Name, &a.Phone, &mail)
	a.Mail = strings.Fields(mail)
	return a, wrapf(orNone(err), "read the agent at %s", port)
}

// SetPortAgent names the ship's agent in a port, in place of the one before.
func (s Scoped) SetPortAgent(ctx context.Context, by gangway.Actor, a gangway.PortAgent, at time.Time) error {
	if err := a.Check(); err != nil {
		return err
	}
	return s.write(ctx, func(tx *sql.Tx) error {
		old, err := portAgent(ctx, tx, s.account, a.Port)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `
			INSERT INTO port_agent (account, port, name, phone, mail)
			VALUES ($1, $2, $3, $4, $5)
			ON CONFLICT (account, port) DO UPDATE
			SET name = excluded.name, phone = excluded.phone, mail = excluded.mail`,
			s.account, a.Port, a.Name, a.Phone, strings.Join(a.Mail, " "))
		if err != nil {
			return wrapf(err, "name the agent at %s", a.Port)
		}
		was, is := gangway.Changes(agentDetails(old), agentDetails(a))
		return s.record(ctx, tx, gangway.AuditEntry{At: at, By: by, What: gangway.SettingsChanged, Before: was,
			After: is})
	})
}

// agentDetails is what the audit log records of an agent.
func agentDetails(a gangway.PortAgent) map[string]any {
	at := "agent " + string(a.Port)
	return map[string]any{at: strings.TrimSpace(a.Name + " " + a.Phone), at + " mail": strings.Join(a.Mail, " ")}
}
