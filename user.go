package gangway

import (
	"net/mail"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A User is a person of a customer who signs in to the web application, and
// works in either environment of that customer.
type User struct {
	ID       string
	Customer string
	Email    string
	Name     string
	Role     Role
	Disabled bool // may not sign in
	Round    int  // sessions of other rounds are over
}

// longestName is how many characters a person's or a company's name has at most.
const longestName = 200

// longestEmail is how many characters an address has at most (RFC 5321, 4.5.3.1.3).
const longestEmail = 254

// CheckName says whether a person or a company may be called name: what an
// upload would refuse in a name is refused here too.
func CheckName(name string) error {
	switch {
	case !utf8.ValidString(name) || Unprintable(name):
		return Errorf(Invalid, "a name has no line breaks and no other characters that cannot be seen")
	case strings.TrimSpace(name) == "":
		return Errorf(Invalid, "a name has at least one character that can be seen")
	case utf8.RuneCountInString(name) > longestName:
		return Errorf(Invalid, "a name has at most %d characters", longestName)
	}
	return nil
}

// CheckEmail says whether a person may sign in by an address. It is in ASCII:
// letters of other alphabets look like those of others' addresses.
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

// EndSessions has u be signed in nowhere from now on.
func (u *User) EndSessions() { u.Round++ }

// Disable shuts u out, at once; others are the customer's other people.
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
	if role != Admin {
		if err := u.mayLeave(others, "must stay an admin"); err != nil {
			return err
		}
	}
	u.Role = role
	return nil
}

// MayBeRemoved says whether u may be taken from the customer, whose other
// people others are.
func (u User) MayBeRemoved(others []User) error { return u.mayLeave(others, "cannot be removed") }

// mayLeave refuses to leave a customer without an admin who can sign in: nobody
// else can look after its account. sentence ends what is said of u.
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

// MaySignIn reports whether u is somebody, and not disabled.
func (u User) MaySignIn() bool { return u.ID != "" && !u.Disabled }
