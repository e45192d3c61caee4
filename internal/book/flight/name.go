package flight

import (
	"strings"

	"gangway/internal/gangway"
)

// CheckName returns an error if a supplier that takes names of at most longest letters
// cannot hold for p. The names must be spelled as they are to be on the ticket.
func CheckName(p gangway.Traveller, longest int) error {
	for _, n := range []struct{ what, name string }{{"last name", p.LastName}, {"first name", p.FirstName}} {
		switch letters, ok := gangway.WriteName(n.name, ""); {
		case strings.TrimSpace(n.name) == "":
			return gangway.Errorf(gangway.Invalid, "the airline needs the passenger's %s", n.what)
		case !ok || letters != strings.ToUpper(n.name):
			return gangway.Errorf(gangway.Invalid, "the airline takes the %s in the letters A to Z only", n.what)
		case longest > 0 && len(letters) > longest:
			return gangway.Errorf(gangway.Invalid, "the airline takes %d letters of the %s", longest, n.what)
		}
	}
	return nil
}
