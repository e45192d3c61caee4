package gangway

import (
	"cmp"
	"strings"
)

// CompareOutlets orders outlets as admins look at them: those that are switched off, those that fail, those that are
// paused, and the others; each of these by name.
func CompareOutlets(a, b Outlet) int {
	return cmp.Or(b.trouble()-a.trouble(), strings.Compare(a.Name, b.Name))
}

// trouble is the greater, the more o needs an admin.
func (o Outlet) trouble() int {
	switch {
	case o.Off:
		return 3
	case !o.FailingSince.IsZero():
		return 2
	case o.Paused:
		return 1
	}
	return 0
}

// Found reports whether somebody who types text means o: its name, its identifier or where it leads has it.
func (o Outlet) Found(text string) bool {
	text = strings.ToLower(text)
	return strings.Contains(strings.ToLower(o.Name), text) || strings.Contains(strings.ToLower(o.Address()), text) ||
		strings.Contains(o.ID, text)
}
