package store

import (
	"context"
	"database/sql"
	"time"

	"gangway/internal/gangway"
)

// mostInvitations is how many people a customer may have invited who have not accepted yet.
const mostInvitations = 200

// invitationKept is how long an invitation is listed.
const invitationKept = 30 * 24 * time.Hour

const invitationColumns = `customer, email, name, role, person, created_at, made_by, (SELECT c.name FROM customer c WHERE c.id = invitation.customer)`

func scanInvitation(row scanner) (i gangway.Invitation, err error) {
	err = row.Scan(&i.Customer, &i.Email, &i.Name, &i.Role, &i.ID, when(&i.At), &i.By, &i.Company)
	return i, err
}

// Invite keeps an invitation, which replaces an earlier one to the same address. tokenHash is the SHA-256 of its
// token. Conflict: the address is that of one of the customer's people, and the invitation is not for them.
// Those of other customers are not looked at, or else an admin could find out who works there.
func (db *DB) Invite(ctx context.Context, by gangway.Actor, i gangway.Invitation, tokenHash string) error {
	if err := i.Check(); err != nil {
		return err
	}
	return db.write(ctx, func(tx *sql.Tx) error {
		if err := holdStaff(ctx, tx, i.Customer); err != nil {
			return err
		}
		has, round, open := "", 0, 0
		err := tx.QueryRowContext(ctx, `
			SELECT coalesce((SELECT id FROM person WHERE customer = $1 AND email = $2), ''),
				coalesce((SELECT round FROM person WHERE customer = $1 AND email = $2), 0),
				(SELECT count(*) FROM invitation WHERE customer = $1 AND email <> $2 AND person = '')`,
			i.Customer, foldEmail(i.Email)).Scan(&has, &round, &open)
		switch {
		case err != nil:
			return wrapf(err, "invite somebody")
		case has != i.ID && i.ID != "":
			return gangway.Errorf(gangway.NotFound, "there is no such user")
		case has != i.ID:
			return emailTaken(i.Email)
		case open >= mostInvitations && i.ID == "":
			return gangway.Errorf(gangway.Conflict, "%d invitations are open: withdraw some first", open)
		}
		if _, err := tx.ExecContext(ctx, `
			INSERT INTO invitation (customer, email, name, role, token_hash, created_at, person, round, made_by)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
			ON CONFLICT (customer, email) DO UPDATE
			SET name = excluded.name, role = excluded.role, token_hash = excluded.token_hash,
				created_at = excluded.created_at, person = excluded.person, round = excluded.round,
				made_by = excluded.made_by`,
			i.Customer, foldEmail(i.Email), i.Name, string(i.Role), tokenHash, millis(i.At), i.ID, round,
			by.ID); err != nil {
			return wrapf(err, "invite somebody")
		}
		e := gangway.AuditEntry{At: i.At, By: by, Customer: i.Customer, What: gangway.UserInvited,
			After: invitationDetails(i)}
		if i.ID != "" {
			e.What, e.After = gangway.UserPasswordLink, map[string]any{"user": i.ID, "email": i.Email}
		}
		return db.record(ctx, tx, e)
	})
}

func invitationDetails(i gangway.Invitation) map[string]any {
	return map[string]any{"email": foldEmail(i.Email), "name": i.Name, "role": string(i.Role)}
}

// Invitations lists what a customer's admins have made and nobody used up, by e-mail, also where it has ended.
func (db *DB) Invitations(ctx context.Context, customer string) ([]gangway.Invitation, error) {
	list, err := selectAll(ctx, db.reader, scanInvitation, `
		SELECT `+invitationColumns+`
		FROM invitation
		WHERE customer = $1 AND (person = '' OR `+stillGood+`)
		ORDER BY person, email
		LIMIT $2`,
		customer, 2*mostInvitations)
	return list, wrapf(err, "list invitations")
}

// stillGood is true of an invitation while who made it is an admin and, where it is somebody's, while their sessions
// were not ended since: by another password, by an admin who signed them out or switched them off.
const stillGood = `
	(made_by = 'command' OR EXISTS (SELECT 1 FROM person m WHERE m.customer = invitation.customer AND m.email = invitation.made_by AND m.role = 'admin' AND m.disabled = 0))
	AND (person = '' OR EXISTS (SELECT 1 FROM person p WHERE p.id = invitation.person AND p.round = invitation.round))`

const noInvitation = "this invitation was used, replaced or withdrawn, or is older than 72 hours. If you chose a " +
	"password with it, sign in; otherwise ask an admin of your company for another"

// Invitation returns the invitation whose token has a hash. NotFound: there is none that can be accepted now.
func (db *DB) Invitation(ctx context.Context, tokenHash string, now time.Time) (gangway.Invitation, error) {
	i, err := scanInvitation(db.reader.QueryRowContext(ctx, `
		SELECT `+invitationColumns+`
		FROM invitation
		WHERE token_hash = $1 AND created_at > $2 AND `+stillGood+` AND `+hasStaff,
		tokenHash, millis(now.Add(-gangway.InvitationLife))))
	return i, notFoundOr(err, noInvitation)
}

// AcceptInvitation uses up an invitation, and makes whom it invited a person of the customer, or gives them another
// password. from is the network address that they do it from. NotFound: as Invitation. Conflict: somebody of
// another customer has the address.
func (db *DB) AcceptInvitation(ctx context.Context, tokenHash, passwordHash, from string,
	at time.Time) (u gangway.User, err error) {
	found, err := db.Invitation(ctx, tokenHash, at)
	if err != nil {
		return u, err
	}
	err = db.write(ctx, func(tx *sql.Tx) error {
		if err := holdStaff(ctx, tx, found.Customer); err != nil {
			return err
		}
		i, err := scanInvitation(tx.QueryRowContext(ctx, `
			DELETE FROM invitation
			WHERE customer = $1 AND token_hash = $2 AND `+stillGood+`
			RETURNING `+invitationColumns,
			found.Customer, tokenHash))
		if err != nil {
			return notFoundOr(err, noInvitation)
		}
		if i.ID != "" {
			u, err = db.endSessions(ctx, tx, gangway.ByPerson(i.User, from), i.Customer, i.Email, passwordHash, at,
				i.By)
			if err == nil && (u.ID != i.ID || !u.MaySignIn()) {
				err = gangway.Errorf(gangway.NotFound, noInvitation)
			}
			return err
		}
		u = i.User
		u.ID = NewID("usr")
		return db.addUser(ctx, tx, gangway.ByPerson(u, from), u, passwordHash, at)
	}, People)
	return u, err
}

// WithdrawInvitation ends a customer's invitation to an address. NotFound: there is none.
func (db *DB) WithdrawInvitation(ctx context.Context, by gangway.Actor, customer, email string, at time.Time) error {
	return db.write(ctx, func(tx *sql.Tx) error {
		if err := holdStaff(ctx, tx, customer); err != nil {
			return err
		}
		i, err := scanInvitation(tx.QueryRowContext(ctx, `
			DELETE FROM invitation
			WHERE customer = $1 AND email = $2
			RETURNING `+invitationColumns,
			customer, foldEmail(email)))
		if err != nil {
			return notFoundOr(err, "%s was not invited, or has accepted", foldEmail(email))
		}
		return db.record(ctx, tx, gangway.AuditEntry{At: at, By: by, Customer: customer, What: gangway.UserUninvited,
			Before: invitationDetails(i)})
	})
}
