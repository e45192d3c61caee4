package decode

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"gangway/internal/gangway"
)

// An Envelope is what an answer of JSON or XML says of itself beside its records: that the system failed, though it
// answered with status 200, and that there is more than this page.
//
// Decided: docs/choices.md, "Feeds".
type Envelope struct {
	failed string // says in words that the system failed
	erring string // the member with an error, which fails an answer without records
	said   string // what it says of its error
	cell   bool   // it is a table of one column
	more   string // says in words that there is more; of several pages: what the last says
	total  int    // how many records there are in all
	pages  int    // how many pages there are in all
	came   int    // how many pages were added
	holds  int    // how many elements its lists have together
}

// The names of members that say something of an answer, in small letters without signs.
const (
	namesSuccess = " success ok "
	namesError   = " error errors "
	namesSaid    = " error errormessage errordescription message msg reason detail "
	namesStatus  = " status statuscode code "
	saysFailed   = " error fail failed failure "
	namesTotal   = " total totalcount totalresults totalrecords totalitems totalelements totalsize count odatacount " +
		"numfound "
	namesMore = " hasmore hasnext hasnextpage hasmoreitems hasmorerecords more moreavailable morerecords " +
		"moreresults next nextcursor nextpage nextpagetoken nexttoken nextlink nexturl nextpageurl nextoffset " +
		"continuationtoken truncated istruncated "
	namesLast  = " last islast lastpage islastpage "
	namesPages = " totalpages pages pagecount pagestotal numpages numberofpages lastpage "
	namesInner = " meta metadata page pageinfo paging pagination links cursor cursors data result results response d "
	nothing    = " 0 false null <nil>  "
)

var withoutSigns = strings.NewReplacer("_", "", "-", "", ".", "", "@", "", " ", "")

// Envelope returns what a document says of itself that is one object of JSON, or a document element of XML; of others
// the zero Envelope. It is asked for before the first Next.
func (d *Document) Envelope() (e Envelope) {
	switch v := d.items.(type) {
	case *jsonValues:
		if !d.list && v.first != nil {
			object, _ := v.first.item.Value.(map[string]any)
			e.look(object, 0)
		}
	case *table:
		e.cell = v.header != nil && v.named == 1
	case *xmlReader:
		item, err := v.next()
		d.items = &one{item: item, err: err}
		content, _ := item.Value.(map[string]any)
		for _, root := range content {
			object, _ := root.(map[string]any)
			e.look(object, 0)
		}
	}
	return e
}

// look reads an object's members, which is so deep within the answer.
func (e *Envelope) look(object map[string]any, depth int) {
	top := depth == 0
	for _, name := range slices.Sorted(maps.Keys(object)) {
		is, text := " "+withoutSigns.Replace(strings.ToLower(name))+" ", ""
		plain := false
		switch value := object[name].(type) {
		case []any:
			if text = strings.Repeat("-", min(len(value), 1)); is != " links " {
				e.holds += len(value)
			} else if strings.Contains(fmt.Sprint(value), "rel:next") {
				e.more = fmt.Sprintf("%q has a next one", name)
			}
		case map[string]any:
			text = strings.Repeat("-", min(len(value), 1))
			if inner := strings.Contains(namesInner, is); inner && depth < 2 {
				e.look(value, depth+1)
				break
			}
			for inner, inside := range value {
				if said, ok := inside.(string); ok && inner == "message" && strings.Contains(namesError, is) {
					e.said = said
				}
				list, _ := inside.([]any)
				e.holds += len(list)
			}
		default:
			if said, ok := value.(string); ok && top && strings.Contains(namesSaid, is) {
				e.said = cmp.Or(e.said, said)
			}
			plain, text = true, strings.ToLower(fmt.Sprint(value))
		}
		n, _ := strconv.Atoi(text)
		says := !strings.Contains(nothing, " "+text+" ")
		switch {
		case top && strings.Contains(namesSuccess, is) && (text == "false" || text == "0"):
			e.failed = fmt.Sprintf("%q in its answer is %s", name, text)
		case top && strings.Contains(namesError, is) && says, top && strings.Contains(namesStatus, is) && says &&
			(n >= 400 && n < 600 || strings.Contains(saysFailed, " "+text+" ")):
			e.erring = name
		case strings.Contains(namesLast, is) && text == "false":
			e.more = fmt.Sprintf("%q in it is false", name)
		case strings.Contains(namesPages, is):
			e.pages = max(e.pages, n)
		case strings.Contains(namesMore, is) && says && !gangway.Date(text[:min(len(text), 10)]).Valid(),
			is == " cursor " && says && plain:
			e.more = fmt.Sprintf("%q says so", name)
		case strings.Contains(namesTotal, is):
			e.total = max(e.total, n)
		}
	}
}

// Add adds the next page of the same answer.
func (e *Envelope) Add(page Envelope) {
	e.more, e.holds, e.total = page.more, e.holds+page.holds, max(e.total, page.total)
	e.pages, e.came = max(e.pages, page.pages), e.came+1
}

// Failure says why an answer is none, of which so many records came, and so many were taken; empty: it is one.
func (e Envelope) Failure(came, taken int) (why string) {
	switch {
	case e.failed != "":
		why = e.failed
	case e.erring != "" && taken == 0:
		why = fmt.Sprintf("its answer has %q and no records", e.erring)
	case e.cell && came == 0:
		return "its answer is one cell, and no records"
	}
	if why != "" && e.said != "" {
		why += fmt.Sprintf(": %.100q", e.said)
	}
	return why
}

// More says why there seems to be more than all pages of an answer held, of which so many records came; empty: it
// does not seem so.
func (e Envelope) More(records int) string {
	if came := max(records, e.holds); e.more == "" && e.total > came {
		e.more = fmt.Sprintf("there are %d records, and %d came", e.total, came)
	}
	if e.more == "" && e.pages > e.came {
		e.more = fmt.Sprintf("there are %d pages, and %d came", e.pages, e.came)
	}
	if e.more == "" {
		return ""
	}
	return "The answer seems to be one page of several: " + e.more + ". So it removes nobody. Answer with everything " +
		`or with a link to the next page, or set "paging": "none" in the feed's transport if it is everything.`
}
