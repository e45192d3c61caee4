package outlets

import (
	"cmp"
	"slices"
	"strings"

	"gangway/internal/gangway"
)

// orderOutlets puts outlets in the order in which admins look at them: those that are switched off, those that fail,
// those at which deliveries are parked, those that are paused, and the others; each of these by name.
func orderOutlets(list []gangway.Outlet, states map[string]gangway.ConditionState) {
	slices.SortFunc(list, func(a, b gangway.Outlet) int {
		return cmp.Or(trouble[states[a.ID]]-trouble[states[b.ID]], strings.Compare(a.Name, b.Name))
	})
}

// trouble is the less, the more an outlet in a state needs an admin.
var trouble = map[gangway.ConditionState]int{gangway.IsOff: -4, gangway.IsFailing: -3, gangway.IsPausedFailing: -3,
	gangway.IsParked: -2, gangway.IsPaused: -1}

// outletFound reports whether somebody who types text means o: its name, its identifier or where it leads has it.
func outletFound(o gangway.Outlet, text string) bool {
	text = strings.ToLower(text)
	return strings.Contains(strings.ToLower(o.Name), text) || strings.Contains(strings.ToLower(o.Address()), text) ||
		strings.Contains(o.ID, text)
}
