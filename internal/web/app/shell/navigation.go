package shell

import (
	"strings"

	"gangway"
	"gangway/internal/store"
)

// Navigation is what stands around pages of the rooms that they stand beside:
// what the frame leads to, and what the sign-in page calls where one goes.
type Navigation struct {
	Sections []Section
	Settings []Link // in the menu of those who look after the account
	Find     Find
	Ways     []Link // on from a page that says that something went wrong
	Going    []Link // where signing in leads on to, by the start of the address; the first that fits
}

// A Section is an entry of the navigation.
type Section struct {
	Name  string // by which pages say that they belong to it
	Path  string
	Icon  string
	Long  string
	Short string // on a phone

	// Count is how much there waits, and whether somebody in the role is to act;
	// nil where nothing is counted.
	Count func(waits store.Waits, role gangway.Role) (n int, acts bool)
	Shy   bool // the entry comes up when something waits
}

// A Link is an address in words.
type Link struct{ Path, Words string }

// Find is the search field.
type Find struct{ Path, Label, Hint string }

// entry is a section as a page shows it.
type entry struct {
	Section
	Number  int
	Waiting bool // the number asks for somebody to act
	Current bool
}

// entries returns the navigation with what waits in each section.
func (n Navigation) entries(waits store.Waits, role gangway.Role, current string) (list []entry) {
	for _, s := range n.Sections {
		e := entry{Section: s, Current: s.Name == current}
		if s.Count != nil {
			e.Number, e.Waiting = s.Count(waits, role)
		}
		if !s.Shy || e.Number > 0 || e.Current {
			list = append(list, e)
		}
	}
	return list
}

// going says in words where an address leads; empty where nobody said.
func (n Navigation) going(to string) string {
	for _, l := range n.Going {
		if strings.HasPrefix(to, l.Path) {
			return l.Words
		}
	}
	return ""
}
