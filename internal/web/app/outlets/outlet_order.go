package outlets

import (
	"cmp"
	"slices"
	"strings"

	"gangway/internal/gangway"
)

// orderOutlets puts outlets in the order in which admins look at them: those that are switched off, those that fail,
// those at which deliveries are parked, those that are paused, and the others; each of these by name. parked has the
// identifiers of those with parked deliveries.
func orderOutlets(list []gangway.Outlet, parked map[string]bool) {
	slices.SortFunc(list, func(a, b gangway.Outlet) int {
		return cmp.Or(trouble(b, parked)-trouble(a, parked), strings.Compare(a.Name, b.Name))
	})
}

// trouble is the greater, the more o needs an admin.
func trouble(o gangway.Outlet, parked map[string]bool) int {
	switch {
	case o.Off:
		return 4
	case !o.FailingSince.IsZero():
		return 3
	case parked[o.ID]:
		return 2
	case o.Paused:
		return 1
	}
	return 0
}

// outletFound reports whether somebody who types text means o: its name, its identifier or where it leads has it.
func outletFound(o gangway.Outlet, text string) bool {
	text = strings.ToLower(text)
	return strings.Contains(strings.ToLower(o.Name), text) || strings.Contains(strings.ToLower(o.Address()), text) ||
		strings.Contains(o.ID, text)
}
