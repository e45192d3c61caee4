package doctor

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"regexp"
	"slices"
	"strings"

	"gangway/internal/accept/decode"
	"gangway/internal/accept/mapping"
	"gangway/internal/gangway"
	"gangway/internal/wire"
	"gangway/internal/world"

	"github.com/go-json-experiment/json/jsontext"
)

// facts are what is to be said about the records of one answer, as they came: also of
// those that were not asked for, and of what people could fill in.
type facts struct {
	flow gangway.Flow
	ask  gangway.Ask

	total    int
	strange  int             // records with nothing in them that says what they are
	keys     map[string]bool // identities
	twice    []string        // records, by name, whose identity was there already
	nameless lack            // people without an identifier of the customer's
	people   int
	missing  map[string]*lack // fields that the interface requires
	foreign  map[string]*lack // fields with values that are not written as the interface has them
	passed   []string         // records, by name, that were not asked for
	remarks  []gangway.FeedRemark
	spelled  map[string]string               // our names of fields, and theirs where they differ
	onDay    map[gangway.Date]string         // of travel requests: a record's identity by its first day
	surnames []string                        // of the first travellers
	spelling func(field string) string       // what the record at hand calls a field
	place    func(field string) decode.Place // of a field of the record at hand
	who      string                          // it is of
}

// mostRemembered bounds how many identities and names of one answer are remembered.
const mostRemembered = 100_000

func newFacts(flow gangway.Flow, ask gangway.Ask) *facts {
	return &facts{flow: flow, ask: ask, keys: map[string]bool{}, missing: map[string]*lack{},
		foreign: map[string]*lack{},
		spelled: map[string]string{}, onDay: map[gangway.Date]string{}}
}

// watched are mapped records of which facts take note as they pass by.
type watched struct {
	*mapping.Records
	facts *facts
}

// Next returns the next record.
func (w watched) Next() (decode.Record, error) {
	record, err := w.Records.Next()
	if err == nil && record.JSON != nil {
		w.facts.spelling = w.SourceField
		w.facts.place = func(field string) decode.Place { return w.PlaceOf(field, record.At) }
		for _, v := range w.Rewritten() {
			w.facts.rewritten(v)
		}
		w.facts.record(record.JSON)
	}
	return record, err
}

// record takes note of a record in the interface's spelling.
func (f *facts) record(doc jsontext.Value) {
	one := func(yield func(int, jsontext.Value) bool) { yield(f.total, doc) }
	switch f.flow {
	case gangway.TravelRequestsFlow:
		f.request(one)
	case gangway.CrewChangesFlow:
		f.change(one)
	default:
		for t := range wire.Travellers(one) {
			f.familiar(t.LastName, t.FirstName, t.ID, t.DocNumber)
			who := t.FirstName + " " + t.LastName
			if t.LastName != "" && !strings.HasPrefix(gangway.Fold(t.LastName), gangway.Fold(f.ask.Surname)) {
				f.pass(who)
			}
			if len(f.surnames) < 20 && t.LastName != "" {
				f.surnames = append(f.surnames, t.LastName)
			}
			f.person(t, gangway.UploadedTraveller.Members, t, "", "")
			f.identity(t.RecordKey(), who)
		}
	}
	f.total++
}

// familiar notes a record that has nothing of what says which one it is.
func (f *facts) familiar(names ...string) {
	if strings.Join(names, "") == "" {
		f.strange++
	}
}

// found is how many records there are that are some of the flow's.
func (f *facts) found() int { return f.total - f.strange }

func (f *facts) request(one iter.Seq2[int, jsontext.Value]) {
	for r := range wire.TravelRequests(one) {
		f.who = r.RequestID
		f.familiar(r.RequestID, r.Traveller.LastName, r.Traveller.FirstName)
		f.person(&r.Traveller, gangway.FedRequest.Members.Named("traveler").Members, r, "traveler.", "Traveler.")
		f.identity(r.RequestID+"\x00"+r.SubRequestID, "request "+r.RequestID)
		if n := r.Flight; n != nil {
			f.require("flight.origin", "Flight.Origin", string(n.Origin))
			f.require("flight.destination", "Flight.Destination", string(n.Destination))
			f.require("flight.date", "Flight.Date", string(n.Date))
			f.airport("Flight.Origin", n.Origin)
			f.airport("Flight.Destination", n.Destination)
			for i, v := range n.Via {
				f.airport(fmt.Sprintf("Flight.IntermediateAirports[%d].Airport", i), v.Airport)
			}
		}
		starts, _ := r.Starts()
		if !starts.Valid() {
			continue
		}
		if starts < f.ask.From || f.ask.To != "" && starts > f.ask.To {
			f.pass(fmt.Sprintf("request %s of %s", r.RequestID, starts))
		} else if _, there := f.onDay[starts]; !there && len(f.onDay) < mostRemembered {
			f.onDay[starts] = r.RequestID + "\x00" + r.SubRequestID
		}
	}
}

func (f *facts) change(one iter.Seq2[int, jsontext.Value]) {
	for c := range wire.CrewChanges(one) {
		if len(c.OnSigners)+len(c.OffSigners) == 0 {
			f.familiar(c.Vessel)
		}
		if c.ChangeDate == "" {
			c.ChangeDate = f.ask.Date
		}
		f.identity(c.Key(), "the change of "+c.Vessel)
		f.who = c.Vessel
		f.require("flag", "Flag", string(c.Flag))
		if f.ask.Date != "" && c.ChangeDate.Valid() && c.ChangeDate != f.ask.Date {
			f.pass(fmt.Sprintf("the change of %s on %s", c.Vessel, c.ChangeDate))
		}
		members := gangway.FedChange.Members.Named("onsigners").Members
		for i, m := range c.OnSigners {
			f.person(&m.Traveller, members, &m, "onsigners[].", fmt.Sprintf("Onsigners[%d].", i))
			f.require("onsigners[].arrive", fmt.Sprintf("Onsigners[%d].Arrive", i), string(m.Arrive.Date))
		}
		for i, m := range c.OffSigners {
			f.person(&m.Traveller, members, &m, "offsigners[].", fmt.Sprintf("Offsigners[%d].", i))
			f.require("offsigners[].depart", fmt.Sprintf("Offsigners[%d].Depart", i), string(m.Depart.Date))
		}
	}
}

// person takes note of a traveller, whose members stand in record: of those that the interface requires, and of id, by
// which bookings are matched.
func (f *facts) person(t *gangway.Traveller, members gangway.Members, record any, prefix, path string) {
	f.people++
	f.who = cmp.Or(t.ID, strings.TrimSpace(t.FirstName+" "+t.LastName), f.who)
	if t.ID == "" {
		f.count(&f.nameless, "id", path+"Id")
	}
	for i := range members {
		m := &members[i]
		if !m.By(gangway.Complete) {
			continue
		}
		f.require(prefix+m.Name, path+m.Field, m.Text(record))
		if theirs := f.spelling(path + m.Field); theirs != "" {
			last := theirs[strings.LastIndexByte(theirs, '.')+1:]
			if !strings.EqualFold(strings.ReplaceAll(last, "_", ""), strings.ReplaceAll(m.Name, "_", "")) {
				f.spelled[prefix+m.Name] = theirs
			}
		}
	}
	f.airport(path+"HomeAirport", t.HomeAirport)
}

// A lack is something that records of an answer lack, and the first that does.
type lack struct {
	n     int
	first gangway.FeedRemark // its Value says whose record it is
}

// lacks are all that were counted.
func (f *facts) lacks() []*lack {
	return slices.AppendSeq(slices.AppendSeq([]*lack{&f.nameless}, maps.Values(f.missing)), maps.Values(f.foreign))
}

func (f *facts) count(l *lack, field, path string) {
	if l.n++; l.n == 1 {
		l.first = gangway.FeedRemark{Record: f.total, At: f.place(path).String(), Field: field, Value: f.who}
	}
}

func (f *facts) require(name, path, value string) {
	if value != "" {
		return
	}
	if f.missing[name] == nil {
		f.missing[name] = &lack{}
	}
	f.count(f.missing[name], name, path)
}

// rewritten notes a value that the interface writes otherwise.
func (f *facts) rewritten(v mapping.Rewritten) {
	field := anyIndex.ReplaceAllString(v.Field, "[]")
	if f.foreign[field] == nil {
		f.foreign[field] = &lack{}
	}
	l := f.foreign[field]
	if l.n++; l.n == 1 {
		l.first = f.remarkAt(v.Field, v.From, "read as "+v.To)
	}
}

var anyIndex = regexp.MustCompile(`\[[0-9]+\]`)

// airport notes a code that is well formed and none of an airport or city.
func (f *facts) airport(field string, code gangway.Airport) {
	if code.WellFormed() && !world.Known(string(code)) && len(f.remarks) < mostFindings {
		f.remarks = append(f.remarks, f.remarkAt(field, string(code), "There is no airport with this code."))
	}
}

func (f *facts) remarkAt(field, value, message string) gangway.FeedRemark {
	return gangway.FeedRemark{Record: f.total, At: f.place(field).String(), Field: field,
		SourceField: f.spelling(field),
		Value:       value, Message: message}
}

func (f *facts) pass(what string) {
	if len(f.passed) < mostRemembered {
		f.passed = append(f.passed, what)
	}
}

func (f *facts) identity(key, what string) {
	switch {
	case key == "" || key == "\x00":
	case f.keys[key]:
		if len(f.twice) < mostFindings {
			f.twice = append(f.twice, what)
		}
	case len(f.keys) < mostRemembered:
		f.keys[key] = true
	}
}

// formatWords names a format as it was found.
func formatWords(as gangway.DocumentFormat) string {
	if as.Encoding != "" {
		return string(as.Kind) + ", " + as.Encoding
	}
	return string(as.Kind)
}
