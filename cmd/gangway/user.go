package main

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/access"
)

type userCommand struct {
	Create   userCreate   `cmd:"" help:"Add a person who signs in to the web application."`
	List     userList     `cmd:"" help:"List a customer's people."`
	Role     userRole     `cmd:"" help:"Change what a person may do, from the next page on."`
	Password userPassword `cmd:"" help:"Give a person another password. Sessions with the old one end at once."`
	Disable  userDisable  `cmd:"" help:"Shut a person out, at once."`
	Enable   userEnable   `cmd:"" help:"Let a person sign in again who was disabled."`
	Remove   userRemove   `cmd:"" help:"Remove a person, at once. What the person did keeps the name; the address is free again."`
}

type userCreate struct {
	customerFlags
	Email string `required:"" placeholder:"ADDRESS" help:"The e-mail address, by which the person signs in."`
	Role  string `required:"" enum:"booker,approver,admin" placeholder:"booker|approver|admin" help:"What the person may do: book; also approve; also manage the account."`
	Name  string `help:"The person's name. The e-mail address when it is not given."`
	passwordFlags
}

// newUser is the answer of user create and user password.
type newUser struct {
	User     string       `json:"user"`
	Email    string       `json:"email"`
	Role     gangway.Role `json:"role"`
	Password string       `json:"password,omitzero"` // only if we generated it
}

func (c *userCreate) check() error {
	if err := gangway.CheckEmail(c.Email); err != nil || c.Name == "" {
		return err
	}
	return gangway.CheckName(c.Name)
}

// Run adds the person, and prints the password unless it was given.
func (c *userCreate) Run(t *terminal) error {
	db, err := c.open(t)
	if err != nil {
		return err
	}
	customer, err := db.Customer(t.ctx, c.Customer)
	if err != nil {
		return err
	}
	password, made, err := c.password(t.in, c.Email, c.Name, customer.Name)
	if err != nil {
		return err
	}
	u := gangway.User{ID: store.NewID("usr"), Customer: customer.ID, Email: c.Email, Name: c.Name,
		Role: gangway.Role(c.Role)}
	u.Name = cmp.Or(u.Name, u.Email)
	if err := db.CreateUser(t.ctx, t.actor(), u, access.HashPassword(password), t.now()); err != nil {
		return err
	}
	email := strings.ToLower(u.Email)
	text := fmt.Sprintf("%s may sign in for %s as %s.\n", email, customer.Name, u.Role)
	return c.print(t, newUser{u.ID, email, u.Role, made}, text+madeWords(made))
}

// passwordFlags say where a person's new password comes from.
type passwordFlags struct {
	PasswordStdin bool `help:"Read the password from the first line of standard input instead of generating one."`
}

// password returns a person's new password, and in made the same again if we generated it and have to
// show it. about are words about the person.
func (f passwordFlags) password(in io.Reader, about ...string) (password, made string, err error) {
	if !f.PasswordStdin {
		made = access.NewPassword()
		return made, made, nil
	}
	line, err := bufio.NewReader(in).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", "", fmt.Errorf("read the password: %w", err)
	}
	password = strings.TrimRight(line, "\r\n")
	return password, "", access.CheckNewPassword(password, about...)
}

func madeWords(made string) string {
	if made == "" {
		return ""
	}
	return fmt.Sprintf("  password  %s\n\nKeep it now: it is not shown again.\n", made)
}

type userList struct {
	customerFlags
}

type listedUser struct {
	User  string       `json:"user"`
	Email string       `json:"email"`
	Name  string       `json:"name"`
	Role  gangway.Role `json:"role"`
	State string       `json:"state"` // active or disabled
}

func newListedUser(u gangway.User) listedUser {
	state := "active"
	if u.Disabled {
		state = "disabled"
	}
	return listedUser{u.ID, u.Email, u.Name, u.Role, state}
}

// Run prints the customer's people.
func (c *userList) Run(t *terminal) error {
	db, err := c.open(t)
	if err != nil {
		return err
	}
	if _, err := db.Customer(t.ctx, c.Customer); err != nil {
		return err
	}
	users, err := db.Users(t.ctx, c.Customer)
	if err != nil {
		return err
	}
	list, rows := []listedUser{}, [][]any{{"USER", "E-MAIL", "NAME", "ROLE", "STATE"}}
	for _, u := range users {
		listed := newListedUser(u)
		list = append(list, listed)
		rows = append(rows, []any{listed.User, listed.Email, listed.Name, listed.Role, listed.State})
	}
	return c.printList(t, list, rows)
}
