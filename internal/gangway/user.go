package gangway

import (
	"cmp"
	"net/mail"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// A User is a person of a customer who signs in to the web application and may
// work in both environments of that customer.
type User struct {
	ID       string
	Customer string
	Email    string
	Name     string
	Role     Role
	Disabled bool // may not sign in
	Round    int  // sessions of other rounds have ended
	Mails    Mails
	MailDue  time.Time // the next daily mail; zero: there is none

	SeenAt time.Time // when the person last used a page, to within an hour; zero: never
}

// NewUser returns somebody who is to sign in for a customer, without an identifier yet. Without a name it is the
// address.
func NewUser(customer, email, name string, role Role) (User, error) {
	u := User{Customer: customer, Email: email, Name: cmp.Or(name, email), Role: role}
	return u, u.Check()
}

// Check checks what people type about u.
func (u User) Check() error { return cmp.Or(CheckEmail(u.Email), CheckName(u.Name), u.Role.check()) }

// longestName is the most characters that a person's or a company's name may have.
const longestName = 200

// longestEmail is the most characters that an address may have (RFC 5321, 4.5.3.1.3).
const longestEmail = 254

// CheckName checks a person's or a company's name by the rules that uploads
// apply to names.
func CheckName(name string) error {
	switch {
	case !utf8.ValidString(name) || Unprintable(name):
		return Errorf(Invalid, "a name must not have line breaks or other invisible characters")
	case strings.TrimSpace(name) == "":
		return Errorf(Invalid, "a name needs at least one visible character")
	case utf8.RuneCountInString(name) > longestName:
		return Errorf(Invalid, "a name must have at most %d characters", longestName)
	}
	return nil
}

// CheckEmail checks an address that a person is to sign in with. It must be in
// ASCII, because letters of other alphabets can imitate somebody else's address.
func CheckEmail(address string) error {
	read, err := mail.ParseAddress(address)
	switch {
	case err != nil || read.Address != address || len(address) > longestEmail ||
		strings.ContainsFunc(address, unicode.IsSpace):
		return Errorf(Invalid, "%q is not an e-mail address", address)
	case strings.ContainsFunc(address, func(c rune) bool { return c > unicode.MaxASCII }):
		return Errorf(Invalid, "%q is not an e-mail address in letters from a to z", address)
	}
	return nil
}

// EndSessions signs u out everywhere.
func (u *User) EndSessions() { u.Round++ }

// Disable shuts u out at once; others are the customer's other people.
func (u *User) Disable(others []User) error {
	if err := u.mayLeave(others, "cannot be disabled"); err != nil || u.Disabled {
		return err
	}
	u.Disabled = true
	u.EndSessions()
	return nil
}

// Enable lets u sign in again.
func (u *User) Enable() { u.Disabled = false }

// SetRole gives u another role; others are the customer's other people.
func (u *User) SetRole(role Role, others []User) error {
	if err := role.check(); err != nil {
		return err
	}
	if role != Admin {
		if err := u.mayLeave(others, "must stay an admin"); err != nil {
			return err
		}
	}
	u.Role = role
	return nil
}

// MayBeRemoved checks whether u may be removed from the customer, whose other
// people are others.
func (u User) MayBeRemoved(others []User) error { return u.mayLeave(others, "cannot be removed") }

// mayLeave refuses to leave a customer without an admin who can sign in, because
// nobody else can manage its account. sentence completes the error about u.
func (u User) mayLeave(others []User, sentence string) error {
	if u.Role != Admin || u.Disabled {
		return nil
	}
	for _, other := range others {
		if other.ID != u.ID && other.Role == Admin && !other.Disabled {
			return nil
		}
	}
	return Errorf(Conflict, "%s is the customer's only admin who may sign in, and %s: make somebody else an admin "+
		"first", u.Email, sentence)
}

// MaySignIn reports whether u exists and is not disabled.
func (u User) MaySignIn() bool { return u.ID != "" && !u.Disabled }
