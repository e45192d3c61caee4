package decode

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// An Envelope is what an answer of JSON says of itself beside its records: that the system failed, though it
// answered with status 200, and that there is more than this page.
//
// Decided: docs/choices.md, "Feeds".
type Envelope struct {
	failed string // says in words that the system failed
	erring string // the member with an error, which fails an answer without records
	more   string // says in words that there is more; of several pages: what the last says
	total  int    // how many records there are in all
	holds  int    // how many elements its lists have together
}

// The names of members that say something of an answer, in small letters without signs.
const (
	namesSuccess = " success ok "
	namesError   = " error errors "
	namesTotal   = " total totalcount totalresults totalrecords totalitems totalelements totalsize count odatacount "
	namesMore    = " hasmore hasnext hasnextpage hasmoreitems hasmorerecords more moreavailable moreresults next " +
		"nextcursor nextpage nextpagetoken nexttoken nextlink nexturl nextpageurl nextoffset continuationtoken "
	namesInner = " meta metadata page pageinfo paging pagination links cursor cursors data result results response d "
	nothing    = " 0 false null <nil>  "
)

var withoutSigns = strings.NewReplacer("_", "", "-", "", ".", "", "@", "", " ", "")

// Envelope returns what a document says of itself that is one object of JSON; of others the zero Envelope. It is
// asked for before the first Next.
func (d *Document) Envelope() (e Envelope) {
	if v, ok := d.items.(*jsonValues); ok && !d.list && v.first != nil {
		object, _ := v.first.item.Value.(map[string]any)
		e.look(object, true)
	}
	return e
}

// look reads an object's members; top: it is all of the answer.
func (e *Envelope) look(object map[string]any, top bool) {
	for _, name := range slices.Sorted(maps.Keys(object)) {
		is, text := " "+withoutSigns.Replace(strings.ToLower(name))+" ", ""
		switch value := object[name].(type) {
		case []any:
			if text = strings.Repeat("-", min(len(value), 1)); is != " links " {
				e.holds += len(value)
			} else if strings.Contains(fmt.Sprint(value), "rel:next") {
				e.more = fmt.Sprintf("%q has a next one", name)
			}
		case map[string]any:
			if text = strings.Repeat("-", min(len(value), 1)); top && strings.Contains(namesInner, is) {
				e.look(value, false)
			}
		default:
			text = strings.ToLower(fmt.Sprint(value))
		}
		n, _ := strconv.Atoi(text)
		says := !strings.Contains(nothing, " "+text+" ")
		switch {
		case top && strings.Contains(namesSuccess, is) && (text == "false" || text == "0"):
			e.failed = fmt.Sprintf("%q in its answer is %s", name, text)
		case top && strings.Contains(namesError, is) && says:
			e.erring = name
		case strings.Contains(namesMore, is) && says:
			e.more = fmt.Sprintf("%q says so", name)
		case strings.Contains(namesTotal, is):
			e.total = max(e.total, n)
		}
	}
}

// Add adds the next page of the same answer.
func (e *Envelope) Add(page Envelope) {
	e.more, e.holds, e.total = page.more, e.holds+page.holds, max(e.total, page.total)
}

// Failure says why an answer is none, of which so many records came; empty: it is one.
func (e Envelope) Failure(records int) string {
	if e.erring != "" && records == 0 {
		return cmp.Or(e.failed, fmt.Sprintf("its answer has %q and no records", e.erring))
	}
	return e.failed
}

// More says why there seems to be more than all pages of an answer held, of which so many records came; empty: it
// does not seem so.
func (e Envelope) More(records int) string {
	if came := max(records, e.holds); e.more == "" && e.total > came {
		e.more = fmt.Sprintf("there are %d records, and %d came", e.total, came)
	}
	if e.more == "" {
		return ""
	}
	return "The answer seems to be one page of several: " + e.more + ". So it removes nobody. Answer with everything " +
		`or with a link to the next page, or set "paging": "none" in the feed's transport if it is everything.`
}
