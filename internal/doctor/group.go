package doctor

import "strings"

// A Group is one check, or several of a part, one after the other, that were not tried for
// the same reason: people read that once.
type Group []Check

// Groups are the checks as people read them.
func (r *Report) Groups() (list []Group) {
	for _, c := range r.Checks {
		if n := len(list) - 1; n >= 0 && list[n].takes(c) {
			list[n] = append(list[n], c)
			continue
		}
		list = append(list, Group{c})
	}
	return list
}

func (g Group) takes(c Check) bool {
	first := g[0]
	return c.Because != "" && c.Part == first.Part && c.Because == first.Because && len(c.Findings) == 1 &&
		c.Findings[0] == first.Findings[0]
}

// Rest names the checks behind the first, which were not tried either; empty: there are none.
func (g Group) Rest() string {
	var ids []string
	for _, c := range g[1:] {
		ids = append(ids, c.ID)
	}
	if ids == nil {
		return ""
	}
	return "For the same reason not tried: " + strings.Join(ids, ", ") + "."
}
