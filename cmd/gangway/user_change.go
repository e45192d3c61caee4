package main

import (
	"fmt"

	"gangway/internal/gangway"
	"gangway/internal/web/access"
)

// personFlags name one of a customer's people.
type personFlags struct {
	customerFlags
	Email string `required:"" placeholder:"ADDRESS" help:"The e-mail address, by which the person signs in."`
}

// update changes the person, and prints the result with a sentence.
func (f personFlags) update(t *terminal, event gangway.AuditEvent, sentence string,
	change func(u *gangway.User, others []gangway.User) error) error {
	db, err := f.open(t)
	if err != nil {
		return err
	}
	u, err := db.UpdateUser(t.ctx, t.actor(), f.Customer, f.Email, event, t.now(), change)
	if err != nil {
		return err
	}
	return f.print(t, newListedUser(u), fmt.Sprintf("%s %s.\n", u.Email, sentence))
}

type userRole struct {
	personFlags
	Role string `required:"" enum:"booker,approver,admin" placeholder:"booker|approver|admin" help:"What the person may do from now on."`
}

// Run changes the person's role.
func (c *userRole) Run(t *terminal) error {
	return c.update(t, gangway.UserRole, "works as "+c.Role+" from the next page on",
		func(u *gangway.User, others []gangway.User) error { return u.SetRole(gangway.Role(c.Role), others) })
}

type userDisable struct{ personFlags }

// Run shuts the person out.
func (c *userDisable) Run(t *terminal) error {
	return c.update(t, gangway.UserDisabled, "is signed out everywhere, and cannot sign in until enabled again",
		(*gangway.User).Disable)
}

type userEnable struct{ personFlags }

// Run lets the person sign in again.
func (c *userEnable) Run(t *terminal) error {
	return c.update(t, gangway.UserEnabled, "may sign in, with the password as it was",
		func(u *gangway.User, _ []gangway.User) error {
			u.Enable()
			return nil
		})
}

type userRemove struct{ personFlags }

// Run removes the person.
func (c *userRemove) Run(t *terminal) error {
	db, err := c.open(t)
	if err != nil {
		return err
	}
	u, err := db.RemoveUser(t.ctx, t.actor(), c.Customer, c.Email, t.now(), gangway.User.MayBeRemoved)
	if err != nil {
		return err
	}
	removed := newListedUser(u)
	removed.State = "removed"
	return c.print(t, removed, fmt.Sprintf("%s is removed, and signed out everywhere. What %s did keeps the name.\n",
		u.Email, u.Name))
}

type userPassword struct {
	personFlags
	passwordFlags
}

// Run gives the person another password, and prints it unless it was given.
func (c *userPassword) Run(t *terminal) error {
	db, err := c.open(t)
	if err != nil {
		return err
	}
	customer, err := db.Customer(t.ctx, c.Customer)
	if err != nil {
		return err
	}
	password, made, err := c.password(t.in, c.Email, customer.Name)
	if err != nil {
		return err
	}
	u, err := db.SetPassword(t.ctx, t.actor(), customer.ID, c.Email, access.HashPassword(password), t.now())
	if err != nil {
		return err
	}
	text := fmt.Sprintf("%s has another password, and is signed out everywhere.\n", u.Email)
	if u.Disabled {
		text += "The person is disabled, and cannot sign in until enabled again.\n"
	}
	return c.print(t, newUser{u.ID, u.Email, u.Role, made}, text+madeWords(made))
}
