package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"fmt"
	"log/slog"
	"maps"
	"reflect"
	"strings"
	"time"

	"gangway/internal/gangway"

	"github.com/go-json-experiment/json"
)

// NewID returns an identifier nobody can guess, as in "acc_k3v…". The prefix
// tells a reader of logs and tables what it names.
func NewID(prefix string) string { return prefix + "_" + strings.ToLower(rand.Text()) }

// CreateCustomer creates a customer with its two accounts.
func (db *DB) CreateCustomer(ctx context.Context, by gangway.Actor, name string,
	at time.Time) (prod, dev gangway.Account, err error) {
	name = strings.TrimSpace(name)
	if err := gangway.CheckName(name); err != nil {
		return prod, dev, err
	}
	c := gangway.Customer{ID: NewID("cus"), Name: name, CreatedAt: at}
	prod = gangway.Account{ID: NewID("acc"), Customer: c, Environment: gangway.Production}
	dev = gangway.Account{ID: NewID("acc"), Customer: c, Environment: gangway.Development}
	err = db.write(ctx, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `
			INSERT INTO customer (id, name, created_at)
			VALUES ($1, $2, $3)`,
			c.ID, c.Name, millis(c.CreatedAt)); err != nil {
			return fmt.Errorf("create customer %s: %w", c.ID, err)
		}
		for _, a := range []gangway.Account{prod, dev} {
			if _, err := tx.ExecContext(ctx, `
				INSERT INTO account (id, customer, environment, settings)
				VALUES ($1, $2, $3, '{}')`,
				a.ID, c.ID, string(a.Environment)); err != nil {
				return fmt.Errorf("create account %s: %w", a.ID, err)
			}
		}
		return db.record(ctx, tx, gangway.AuditEntry{
			At: at, By: by, Customer: c.ID, What: gangway.CustomerCreated,
			After: map[string]any{"customer": c.ID, "name": c.Name, "production": prod.ID, "development": dev.ID},
		})
	})
	return prod, dev, err
}

// Customer returns the customer with the identifier id.
func (db *DB) Customer(ctx context.Context, id string) (gangway.Customer, error) {
	c, err := scanCustomer(db.reader.QueryRowContext(ctx, customers+`WHERE c.id = $1`, id))
	return c, notFoundOr(err, "there is no customer %q", id)
}

// RenameCustomer gives a customer another name.
func (db *DB) RenameCustomer(ctx context.Context, by gangway.Actor, id, name string, at time.Time) error {
	name = strings.TrimSpace(name)
	if err := gangway.CheckName(name); err != nil {
		return err
	}
	return db.write(ctx, func(tx *sql.Tx) error {
		if err := holdStaff(ctx, tx, id); err != nil {
			return err
		}
		c, err := scanCustomer(tx.QueryRowContext(ctx, customers+`WHERE c.id = $1`, id))
		if err != nil || c.Name == name {
			return wrapf(err, "rename customer %s", id)
		}
		if _, err := tx.ExecContext(ctx, `
			UPDATE customer
			SET name = $2
			WHERE id = $1`,
			id, name); err != nil {
			return fmt.Errorf("rename customer %s: %w", id, err)
		}
		return db.record(ctx, tx, gangway.AuditEntry{At: at, By: by, Customer: id, What: gangway.CustomerRenamed,
			Before: map[string]any{"name": c.Name}, After: map[string]any{"name": name}})
	})
}

const customers = `
		SELECT c.id, c.name, c.created_at, coalesce((SELECT max(a.removing) FROM account a WHERE a.customer = c.id), 0)
		FROM customer c
		`

func scanCustomer(row scanner) (c gangway.Customer, err error) {
	err = row.Scan(&c.ID, &c.Name, when(&c.CreatedAt), when(&c.Removing))
	return c, err
}

// Used reports whether the account has anything that people look for: records that were sent, or bookings.
func (s Scoped) Used(ctx context.Context) (used bool, err error) {
	err = s.db.reader.QueryRowContext(ctx, `
		SELECT EXISTS (SELECT 1 FROM traveller WHERE account = $1)
			OR EXISTS (SELECT 1 FROM travel_request WHERE account = $1)
			OR EXISTS (SELECT 1 FROM crew_change WHERE account = $1)
			OR EXISTS (SELECT 1 FROM booking WHERE account = $1)`,
		s.account).Scan(&used)
	return used, wrapf(err, "look whether an account is used")
}

// Customers lists all customers by name.
func (db *DB) Customers(ctx context.Context) ([]gangway.Customer, error) {
	list, err := selectAll(ctx, db.reader, scanCustomer, customers+`ORDER BY c.name, c.id`)
	return list, wrapf(err, "list customers")
}

// Accounts returns a customer's two accounts.
func (db *DB) Accounts(ctx context.Context, customer string) (prod, dev gangway.Account, err error) {
	list, err := selectAll(ctx, db.reader, scanAccount, accounts+`c.id = $1`, customer)
	if err != nil {
		return prod, dev, fmt.Errorf("read the accounts of customer %s: %w", customer, err)
	}
	for _, a := range list {
		if a.Environment == gangway.Production {
			prod = a
		} else {
			dev = a
		}
	}
	if prod.ID == "" || dev.ID == "" {
		return prod, dev, gangway.Errorf(gangway.NotFound, "there is no customer %q", customer)
	}
	return prod, dev, nil
}

// Account returns the account with the identifier id.
func (db *DB) Account(ctx context.Context, id string) (gangway.Account, error) {
	a, err := scanAccount(db.reader.QueryRowContext(ctx, accounts+`a.id = $1`, id))
	return a, notFoundOr(err, "there is no such account")
}

// Account returns the account that s sees.
func (s Scoped) Account(ctx context.Context) (gangway.Account, error) {
	return s.db.Account(ctx, s.account)
}

const accounts = `
		SELECT a.id, a.environment, a.settings, a.removing, a.ahead, a.ahead_to, a.silent_since, c.id, c.name, c.created_at
		FROM account a
		JOIN customer c ON c.id = a.customer
		WHERE `

func scanAccount(row scanner) (a gangway.Account, err error) {
	err = row.Scan(&a.ID, &a.Environment, docColumn{&a.Settings}, when(&a.Customer.Removing), howLong(&a.Ahead),
		howLong(&a.AheadTo), when(&a.SilentSince), &a.Customer.ID, &a.Customer.Name, when(&a.Customer.CreatedAt))
	return a, err
}

// UpdateSettings applies change to the account's settings and returns the new ones. Concurrent
// changes are made one after the other, so that none is lost. change runs inside the transaction
// and must not wait for anything. Other rules for crew have what is booked looked at again.
func (s Scoped) UpdateSettings(ctx context.Context, by gangway.Actor, at time.Time,
	change func(*gangway.Settings) error) (gangway.Settings, error) {
	var settings gangway.Settings
	var crew gangway.CrewRules
	err := s.write(ctx, func(tx *sql.Tx) error {
		doc, err := column[[]byte](tx.QueryRowContext(ctx, `
			UPDATE account
			SET settings = settings
			WHERE id = $1
			RETURNING settings`,
			s.account))
		if err != nil {
			return notFoundOr(err, "there is no such account")
		}
		settings = gangway.Settings{}
		if err := json.Unmarshal(doc, &settings); err != nil {
			return fmt.Errorf("settings of account %s: %w", s.account, err)
		}
		supplier := settings.Supplier
		crew = settings.Crew
		before, err := settingsDetails(settings)
		if err != nil {
			return err
		}
		if err := change(&settings); err != nil {
			return err
		}
		if doc, err = json.Marshal(settings); err != nil {
			return fmt.Errorf("write settings of account %s: %w", s.account, err)
		}
		save := `UPDATE account SET settings = $2 WHERE id = $1`
		if settings.Supplier != supplier { // which nobody has asked yet
			save = `UPDATE account SET settings = $2, silent_since = 0 WHERE id = $1`
		}
		if _, err = tx.ExecContext(ctx, save, s.account, string(doc)); err != nil {
			return fmt.Errorf("save settings of account %s: %w", s.account, err)
		}
		after, err := settingsDetails(settings)
		if err != nil {
			return err
		}
		was, is := gangway.Changes(before, after)
		if len(was)+len(is) == 0 {
			return nil
		}
		return s.record(ctx, tx, gangway.AuditEntry{At: at, By: by, What: gangway.SettingsChanged, Before: was,
			After: is})
	})
	s.db.reports.accounts.Delete(s.account)
	if err == nil && !reflect.DeepEqual(crew, settings.Crew) {
		err = s.recheckChanges(ctx, func(string) bool { return true })
	}
	return settings, err
}

// settingsDetails is what the audit log records of settings: all of them, with the approval policy
// and the rules for crew as people write them.
func settingsDetails(settings gangway.Settings) (map[string]any, error) {
	doc, err := json.Marshal(settings)
	if err != nil {
		return nil, fmt.Errorf("write settings: %w", err)
	}
	var details map[string]any
	if err := json.Unmarshal(doc, &details); err != nil {
		return nil, fmt.Errorf("read settings: %w", err)
	}
	details["approval"] = settings.Approval.String()
	delete(details, "crew")
	maps.Copy(details, settings.Crew.Typed())
	return details, nil
}

// Whose names in a line of the log the account that it is about, in the words of commands: --customer and
// --environment. The account's own identifier, which no command takes, stands there only while the database does not
// answer, or once the customer was removed.
func (db *DB) Whose(ctx context.Context, scope gangway.Scope) slog.Attr {
	a, err := db.Account(ctx, scope.Account)
	if err != nil {
		return slog.String("account", scope.Account)
	}
	return slog.Group("", slog.String("customer", a.Customer.ID), slog.String("environment", string(a.Environment)))
}
