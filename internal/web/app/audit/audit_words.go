package audit

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"gangway/internal/gangway"
	"gangway/internal/web/app/shell"
)

// A detail is one member of what an entry is about, before and after.
type detail struct {
	name     string
	old, new any
	was, is  bool // whether the entry has it before, and after
}

// detailsInWords returns what an event is about and what it changed, a line for each member:
// "role: booker → admin". Programs read the members as they are. People need neither the identifier
// of somebody whose name is beside it, nor our name of a limit.
func detailsInWords(e gangway.AuditEntry) []string {
	names := slices.Sorted(maps.Keys(e.After))
	for _, name := range slices.Sorted(maps.Keys(e.Before)) {
		if _, ok := e.After[name]; !ok {
			names = append(names, name)
		}
	}
	var lines []string
	for _, name := range names {
		d := detail{name: name}
		d.old, d.was = e.Before[name]
		d.new, d.is = e.After[name]
		if e.Before != nil && e.After != nil {
			d.complete()
		}
		if line := d.words(e); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// complete gives a detail of a change the side that its entry leaves out. What only the new side has, and is no
// setting, is about the change itself, and stands for itself.
func (d *detail) complete() {
	value, setting := unset[d.name]
	switch {
	case !d.is:
		d.new, d.is = value, true
	case !d.was && setting:
		d.old, d.was = value, true
	}
}

// unset are the settings that an entry leaves out where they are not set, and what that means. Nil: no, or none.
var unset = map[string]any{
	"auth":    nil,
	"batch":   nil,
	"format":  string(gangway.JSONFormat),
	"mapping": nil,
	"paused":  nil,
	"states":  "all",
}

// words is the line of a detail. It is empty if another line says the same.
func (d detail) words(e gangway.AuditEntry) string {
	switch d.name {
	case "user", "method", "rows", "ahead": // another line says it
		return ""
	case "lines":
		if e.What == gangway.TravellerErased { // of the erasure log, for a restore
			return ""
		}
	case "path":
		if method := e.After["method"]; method == "GET" || method == "HEAD" {
			return "asked for the page " + shell.ValueWords(d.new)
		}
		return "sent a form to " + shell.ValueWords(d.new)
	case "limit":
		if words, ok := limitWords[fmt.Sprint(d.new)]; ok {
			return words
		}
	case "disabled":
		return d.mayNotSignIn()
	case "times":
		return shell.ValueWords(d.new) + " times within an hour"
	case "request":
		if e.What == gangway.RequestShown {
			return "Request-Id: " + d.values()
		}
	case "by":
		if e.What == gangway.SandboxAdvanced {
			return "forward by: " + d.values()
		}
	case "finished":
		return finishedWords(e)
	}
	name, ok := detailNames[d.name]
	if !ok {
		name = strings.ReplaceAll(d.name, "_", " ")
	}
	return name + ": " + d.values()
}

// values describes a detail before and after.
func (d detail) values() string {
	switch {
	case !d.is:
		return shell.ValueWords(d.old)
	case !d.was:
		return shell.ValueWords(d.new)
	}
	old, new := d.old, d.new
	if _, ok := new.(bool); ok && old == nil {
		old = false
	}
	if _, ok := old.(bool); ok && new == nil {
		new = false
	}
	if shell.ValueWords(old) == shell.ValueWords(new) {
		return shell.ValueWords(new)
	}
	return shell.ValueWords(old) + " → " + shell.ValueWords(new)
}

// mayNotSignIn says what it means that somebody was disabled or enabled.
func (d detail) mayNotSignIn() string {
	disabled := d.new == true || !d.is && d.old == true
	switch {
	case disabled && d.was && d.is:
		return "may not sign in any more"
	case disabled:
		return "may not sign in"
	case d.old == true:
		return "may sign in again"
	}
	return ""
}

// finishedWords says how far something went that may be cut off.
func finishedWords(e gangway.AuditEntry) string {
	finished := e.After["finished"] == true
	rows, counted := e.After["rows"].(float64)
	switch {
	case counted && finished:
		return shell.Plural(int(rows), "row", "rows") + " went out"
	case counted:
		return "cut off after " + shell.Plural(int(rows), "row", "rows")
	case e.What == gangway.BookingsExported || e.What == gangway.ReportExported || e.What == gangway.AuditExported:
		return "begun"
	case finished:
		return "finished"
	}
	return "not finished"
}

// limitWords are the limits of signing in, see access.Lockout.
var limitWords = map[string]string{
	"pair":    "too many tries at this person from this network or browser",
	"account": "too many tries at this person from many networks",
	"network": "too many tries at many people from this network",
}

// detailNames replaces the names of members that are not plain words.
var detailNames = map[string]string{
	"accept_shrink":    "a list that lacks many records is accepted",
	"admit_sanctioned": "airlines under sanctions offered",
	"auth":             "authentication",
	"auth_given":       "authentication given anew",
	"auto_issue":       "issue automatically",
	"begins":           "begins with",
	"critical":         "red below (hours of buffer)",
	"short":            "amber below (hours of buffer)",
	"change_date":      "date",
	"crew_change":      "crew change reference",
	"by":               "booked by",
	"development":      "development account",
	"keep_months":      "months that personal data is kept",
	"off":              "switched off",
	"own_approval":     "approve own bookings",
	"production":       "production account",
	"report_user":      "report login",
	"request":          "travel request",
	"signatures":       "secrets that sign",
	"sub_request":      "part of the request",
	"url":              "address",
}
