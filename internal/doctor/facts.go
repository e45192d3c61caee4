package doctor

import (
	"cmp"
	"fmt"
	"iter"
	"regexp"
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
	strange  int              // records with nothing in them that says what they are
	keys     map[string]bool  // identities
	twice    []string         // records, by name, whose identity was there already
	missing  map[string]*lack // fields that the interface requires, and the id that bookings are matched by
	foreign  map[string]*lack // fields with values that are not written as the interface has them
	passed   []string         // records, by name, that were not asked for
	remarks  []gangway.FeedRemark
	onDay    map[gangway.Date]string // of travel requests: a record's identity by its first day
	surnames []string                // of the first travellers

	source *mapping.Records // of the record at hand
	at     decode.Place
	who    string // it is of
}

// mostRemembered bounds how many identities and names of one answer are remembered.
const mostRemembered = 100_000

func newFacts(flow gangway.Flow, ask gangway.Ask) *facts {
	return &facts{flow: flow, ask: ask, keys: map[string]bool{}, missing: map[string]*lack{},
		foreign: map[string]*lack{}, onDay: map[gangway.Date]string{}}
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
		f := w.facts
		f.source, f.at = w.Records, record.At
		for _, v := range w.Rewritten() {
			count(f.foreign, anyIndex.ReplaceAllString(v.Field, "[]"), func() gangway.FeedRemark {
				return f.remark(v.Field, v.From, "read as "+v.To)
			})
		}
		f.record(record.JSON)
		f.total++
	}
	return record, err
}

var anyIndex = regexp.MustCompile(`\[[0-9]+\]`)

// record takes note of a record in the interface's spelling.
func (f *facts) record(doc jsontext.Value) {
	var one iter.Seq2[int, jsontext.Value] = func(yield func(int, jsontext.Value) bool) { yield(f.total, doc) }
	switch f.flow {
	case gangway.TravelRequestsFlow:
		for r := range wire.TravelRequests(one) {
			f.request(r)
		}
	case gangway.CrewChangesFlow:
		for c := range wire.CrewChanges(one) {
			f.change(c)
		}
	default:
		for t := range wire.Travellers(one) {
			who := t.FirstName + " " + t.LastName
			f.identity(t.RecordKey(), who, t.LastName+t.FirstName+t.ID+t.DocNumber)
			if t.LastName != "" && !strings.HasPrefix(gangway.Fold(t.LastName), gangway.Fold(f.ask.Surname)) {
				f.pass(who)
			}
			if len(f.surnames) < 20 && t.LastName != "" {
				f.surnames = append(f.surnames, t.LastName)
			}
			f.person(*t, gangway.UploadedTraveller.Members, t, "", "")
		}
	}
}

// found is how many records there are that are some of the flow's.
func (f *facts) found() int { return f.total - f.strange }

func (f *facts) request(r *gangway.TravelRequest) {
	f.who = r.RequestID
	key := r.RequestID + "\x00" + r.SubRequestID
	f.identity(key, "request "+r.RequestID, r.RequestID+r.Traveller.LastName+r.Traveller.FirstName)
	f.person(r.Traveller, gangway.FedRequest.Members.Named("traveler").Members, r, "traveler.", "Traveler.")
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
		return
	}
	if starts < f.ask.From || f.ask.To != "" && starts > f.ask.To {
		f.pass(fmt.Sprintf("request %s of %s", r.RequestID, starts))
	} else if _, there := f.onDay[starts]; !there && len(f.onDay) < mostRemembered {
		f.onDay[starts] = key
	}
}

func (f *facts) change(c *gangway.CrewChange) {
	f.who = c.Vessel
	c.ChangeDate = cmp.Or(c.ChangeDate, f.ask.Date)
	familiar := c.Vessel
	if len(c.OnSigners)+len(c.OffSigners) > 0 {
		familiar += "and its crew"
	}
	f.identity(c.Key(), "the change of "+c.Vessel, familiar)
	f.require("flag", "Flag", string(c.Flag))
	if f.ask.Date != "" && c.ChangeDate.Valid() && c.ChangeDate != f.ask.Date {
		f.pass(fmt.Sprintf("the change of %s on %s", c.Vessel, c.ChangeDate))
	}
	members := gangway.FedChange.Members.Named("onsigners").Members
	for i, m := range c.OnSigners {
		f.person(m.Traveller, members, &m, "onsigners[].", fmt.Sprintf("Onsigners[%d].", i))
		f.require("onsigners[].arrive", fmt.Sprintf("Onsigners[%d].Arrive", i), string(m.Arrive.Date))
	}
	for i, m := range c.OffSigners {
		f.person(m.Traveller, members, &m, "offsigners[].", fmt.Sprintf("Offsigners[%d].", i))
		f.require("offsigners[].depart", fmt.Sprintf("Offsigners[%d].Depart", i), string(m.Depart.Date))
	}
}

// person notes what a traveller lacks of what the interface requires, and the id that bookings are matched by. members
// are those of record, which is about the traveller.
func (f *facts) person(t gangway.Traveller, members gangway.Members, record any, prefix, path string) {
	f.who = cmp.Or(t.ID, strings.TrimSpace(t.FirstName+" "+t.LastName), f.who)
	f.require(prefix+"id", path+"Id", t.ID)
	for i := range members {
		if m := &members[i]; m.By(gangway.Complete) {
			f.require(prefix+m.Name, path+m.Field, m.Text(record))
		}
	}
	f.airport(path+"HomeAirport", t.HomeAirport)
}

// A lack is something that records of an answer lack, and the first that does.
type lack struct {
	n     int
	first gangway.FeedRemark
}

func count(in map[string]*lack, name string, first func() gangway.FeedRemark) {
	if in[name] == nil {
		in[name] = &lack{first: first()}
	}
	in[name].n++
}

func (f *facts) require(name, path, value string) {
	if value == "" {
		count(f.missing, name, func() gangway.FeedRemark {
			return gangway.FeedRemark{Record: f.total, At: f.source.PlaceOf(path, f.at).String(), Field: name,
				Value: f.who} // whose record it is
		})
	}
}

// airport notes a code that is well formed and none of an airport or city.
func (f *facts) airport(field string, code gangway.Airport) {
	if code.WellFormed() && !world.Known(string(code)) && len(f.remarks) < mostFindings {
		f.remarks = append(f.remarks, f.remark(field, string(code), "There is no airport with this code."))
	}
}

func (f *facts) remark(field, value, message string) gangway.FeedRemark {
	return gangway.FeedRemark{Record: f.total, At: f.source.PlaceOf(field, f.at).String(), Field: field,
		SourceField: f.source.SourceField(field), Value: value, Message: message}
}

func (f *facts) pass(what string) {
	if len(f.passed) < mostRemembered {
		f.passed = append(f.passed, what)
	}
}

// identity notes a record's identity. familiar is what says which record it is; empty: nothing of the flow's.
func (f *facts) identity(key, what, familiar string) {
	if familiar == "" {
		f.strange++
	}
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
