package shell

import (
	"slices"
	"strings"

	"gangway/internal/gangway"
	"gangway/internal/store"
)

// Navigation is the links that the frame shows on every page, and the words in
// which the sign-in page names the page somebody is on the way to.
type Navigation struct {
	Sections []Section
	Settings []Link // in the menu of admins
	Find     Find
	Ways     []Link // onwards from an error page
	WaysIn   []WaysIn
	Going    []Link // what signing in leads to, by the start of the address; the first that fits
	Beside   []Link // on the sign-in page: for those who do not sign in
}

// A Section is an entry of the navigation.
type Section struct {
	Name  string // pages name it as their section
	Path  string
	Icon  string
	Long  string
	Short string // on a phone
	Key   string // the letter that leads there

	// Count returns how much waits there, and whether somebody in the role has to
	// act; nil where nothing is counted.
	Count func(waits store.Waits, role gangway.Role) (n int, acts bool)

	// Settings says that its pages are the links of Settings: admins see it, with them below it once they are
	// there, and on a phone find them in the menu.
	Settings bool
}

// SectionPath is the address of the section of that name.
func (sh *Shell) SectionPath(name string) string {
	for _, s := range sh.navigation.Sections {
		if s.Name == name {
			return s.Path
		}
	}
	return "/"
}

// WaysIn are the ways onwards from an error page at addresses that begin alike, in place of Navigation.Ways.
type WaysIn struct {
	Begins string
	Ways   []Link
}

// A Link is an address in words.
type Link struct{ Path, Words string }

// Find is the search field.
type Find struct{ Path, Suggest, Label, Hint string }

// An entry is a section as a page shows it.
type entry struct {
	Section
	Number  int
	Waiting bool // somebody has to act on the number
	Current bool
}

// entries returns the sections with how much waits in each.
func (n Navigation) entries(waits store.Waits, role gangway.Role, current string) (list []entry) {
	for _, s := range n.Sections {
		if s.Settings && !role.May(gangway.ToAdminister) {
			continue
		}
		e := entry{Section: s, Current: s.Name == current}
		if s.Count != nil {
			e.Number, e.Waiting = s.Count(waits, role)
		}
		list = append(list, e)
	}
	return list
}

// ways are the ways onwards from an error page at an address, for somebody in a role: an admin's begin at the page of
// Settings that it is below.
func (n Navigation) ways(at string, role gangway.Role) []Link {
	for _, in := range n.WaysIn {
		if strings.HasPrefix(at, in.Begins) {
			return in.Ways
		}
	}
	for _, l := range n.settings(at) {
		if l.Current && role.May(gangway.ToAdminister) {
			return append([]Link{{l.Path, "Settings › " + l.Words}}, n.Ways...)
		}
	}
	return n.Ways
}

// A settingsLink is a link of Settings on a page.
type settingsLink struct {
	Link
	Current bool
}

// settings are the links of Settings on the page at an address.
func (n Navigation) settings(at string) (list []settingsLink) {
	for _, l := range n.Settings {
		list = append(list, settingsLink{l, at == l.Path || strings.HasPrefix(at, l.Path+"/")})
	}
	return list
}

// Leads reports whether a line of Settings leads to the page at an address.
func (sh *Shell) Leads(to string) bool {
	return slices.ContainsFunc(sh.navigation.Settings, func(l Link) bool { return l.Path == to })
}

// going names in words the page at an address; empty where no line of Going fits.
func (n Navigation) going(to string) string {
	for _, l := range n.Going {
		if strings.HasPrefix(to, l.Path) {
			return l.Words
		}
	}
	return ""
}
