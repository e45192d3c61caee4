package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"gangway/internal/erasure"
	"gangway/internal/gangway"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// A CrewChangeLine is a crew change with what a line of a list needs: how many
// people join and leave, and only those members, dropped ones included, who were
// asked for. A crew change may have thousands of members, and a list many crew
// changes.
type CrewChangeLine struct {
	gangway.CrewChange
	On, Off int
}

// Size returns how many people join and leave.
func (l CrewChangeLine) Size() int { return l.On + l.Off }

// CrewChangeKeys returns the keys of up to limit crew changes between two dates,
// both included, of the vessels whose folded name starts with vessel, by date and vessel.
func (s Scoped) CrewChangeKeys(ctx context.Context, vessel string, from, to gangway.Date, limit int) ([]string, error) {
	list, err := selectAll(ctx, s.db.reader, column[string], `
		SELECT key
		FROM crew_change
		WHERE account = $1 AND change_date >= $2 AND change_date <= $3 AND vessel >= $4 AND vessel < $5 AND gone = 0
		ORDER BY change_date, vessel, key
		LIMIT $6`,
		s.account, from, to, vessel, vessel+"\U0010FFFF", limit)
	return list, wrapf(err, "list crew changes")
}

// CrewChangeLines returns the account's crew changes among those with the given
// keys, by key, each with the members who may be one of the travellers given for it.
func (s Scoped) CrewChangeLines(ctx context.Context,
	of map[string][]gangway.Traveller) (map[string]CrewChangeLine, error) {
	found := map[string]CrewChangeLine{}
	for key, travellers := range of {
		line, err := s.crewChangeLine(ctx, key, travellers)
		switch {
		case err == nil:
			found[key] = line
		case gangway.KindOf(err) != gangway.NotFound:
			return nil, err
		}
	}
	return found, nil
}

func (s Scoped) crewChangeLine(ctx context.Context, key string,
	of []gangway.Traveller) (line CrewChangeLine, err error) {
	done, err := s.db.bulky.take(ctx)
	if err != nil {
		return line, err
	}
	defer done()
	texts, from, err := s.crewChangeColumns(ctx, key)
	if err != nil {
		return line, err
	}
	return texts.line(key, from, of)
}

// line returns the line of a crew change, with the members who may be one of some travellers.
func (t changeTexts) line(key string, from gangway.Origin, of []gangway.Traveller) (line CrewChangeLine, err error) {
	if len(of) == 0 {
		t.dropped = "" // no traveller is looked for among them
	}
	var among func(gangway.Traveller) bool
	if len(of) > 0 {
		among = gangway.Among(of)
	}
	sides := struct {
		gangway.CrewChange
		On  membersAmong `json:"onsigners"`
		Off membersAmong `json:"offsigners"`
	}{On: membersAmong{among: among}, Off: membersAmong{among: among, leave: true}}
	if err := json.UnmarshalRead(strings.NewReader(t.doc), &sides); err != nil {
		return line, fmt.Errorf("read crew change: %w", err)
	}
	line = CrewChangeLine{sides.CrewChange, sides.On.all, sides.Off.all}
	line.Origin = from
	line.OnSigners, line.OffSigners = sides.On.list, sides.Off.list
	// As the whole crew change has it.
	line.ChangeAirport = cmp.Or(line.ChangeAirport, sides.On.airport, sides.Off.airport)
	if err := t.readBeside(&line.CrewChange, key); err != nil {
		return line, err
	}
	var kept []gangway.DroppedMember
	for _, d := range line.Dropped {
		if among(d.Traveller) {
			kept = append(kept, d)
		}
	}
	line.Dropped = kept
	return line, nil
}

// membersAmong reads the members who join or leave: it counts them, and keeps
// those who may be one of some travellers, with what plans are made of.
type membersAmong struct {
	among func(gangway.Traveller) bool // nil: no member is
	leave bool

	all     int
	airport gangway.Airport // the first that is named
	list    []gangway.CrewMember
}

// UnmarshalJSONFrom is part of json.UnmarshalerFrom.
func (s *membersAmong) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	if _, err := dec.ReadToken(); err != nil {
		return err
	}
	for ; dec.PeekKind() != ']'; s.all++ {
		if s.among == nil && s.airport != "" { // nothing else is needed
			if err := dec.SkipValue(); err != nil {
				return err
			}
			continue
		}
		var m struct {
			ID         string           `json:"id"`
			LastName   string           `json:"last_name"`
			FirstName  string           `json:"first_name"`
			DOB        gangway.Date     `json:"dob"`
			DocCountry gangway.Country  `json:"doc_country"`
			DocNumber  string           `json:"doc_number"`
			Arrive     gangway.PortCall `json:"arrive"`
			Depart     gangway.PortCall `json:"depart"`
			ChangeDate gangway.Date     `json:"change_date"`
		}
		if err := json.UnmarshalDecode(dec, &m); err != nil {
			return err
		}
		call := m.Arrive
		if s.leave {
			call = m.Depart
		}
		s.airport = cmp.Or(s.airport, call.Airport)
		t := gangway.Traveller{ID: m.ID, LastName: m.LastName, FirstName: m.FirstName, DOB: m.DOB,
			DocCountry: m.DocCountry, DocNumber: m.DocNumber}
		if s.among != nil && s.among(t) {
			s.list = append(s.list, gangway.CrewMember{Traveller: t, Arrive: m.Arrive, Depart: m.Depart,
				ChangeDate: m.ChangeDate})
		}
	}
	_, err := dec.ReadToken()
	return err
}

// A bulkyTurn lets one goroutine at a time read a document that may be as large as
// an upload. Whoever waits for it holds no connection.
type bulkyTurn chan struct{}

func (t bulkyTurn) take(ctx context.Context) (done func(), err error) {
	select {
	case t <- struct{}{}:
		return func() { <-t }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// mostInCommon is how many crew changes are read at once that have a date, or people, in common.
const mostInCommon = 200

// CrewChangesOn returns the crew changes of a vessel that have a date or may have had it, without members.
func (s Scoped) CrewChangesOn(ctx context.Context, vessel string, date gangway.Date) ([]gangway.CrewChange, error) {
	return s.linesOf(ctx, nil, `
		vessel = $2 AND (change_date = $3 OR moved LIKE $4 OR moves LIKE $4 OR news LIKE $4)
		ORDER BY change_date, key
		LIMIT $5`, gangway.Fold(vessel), string(date), `%"`+string(date)+`"%`, mostInCommon)
}

// CrewChangesWith returns the crew changes between two dates that have moved or lost members and that some travellers
// are or were in, with these. They are found by traces, so one that was sent just now may be missing.
func (s Scoped) CrewChangesWith(ctx context.Context, of []gangway.Traveller, from, to gangway.Date) (
	list []gangway.CrewChange, err error) {
	args := []any{string(from), string(to), mostInCommon}
	for _, t := range of {
		for _, key := range erasure.IdentityOf(t).MatchKeys() {
			args = append(args, traceMark(key))
		}
	}
	if len(args) == 3 {
		return nil, nil
	}
	return s.linesOf(ctx, of, `
		change_date >= $2 AND change_date <= $3 AND (news <> '' OR moved <> '' OR dropped <> '') AND key IN (
			SELECT key FROM crew_change_trace WHERE account = $1 AND mark IN (`+placeholders(5, len(args)-3)+`))
		ORDER BY change_date, key
		LIMIT $4`, args...)
}

// linesOf reads the crew changes that a condition selects, with those members who may be one of some travellers.
func (s Scoped) linesOf(ctx context.Context, of []gangway.Traveller, where string, args ...any) (
	list []gangway.CrewChange, err error) {
	done, err := s.db.bulky.take(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	list, err = selectAll(ctx, s.db.reader, func(row scanner) (c gangway.CrewChange, err error) {
		var key string
		var texts changeTexts
		var seen gangway.Origin
		if err = scanOrigin(row, &seen, append([]any{&key}, texts.into()...)...); err != nil {
			return c, err
		}
		line, err := texts.line(key, seen, of)
		return line.CrewChange, err
	}, `SELECT `+originColumns+`, key, `+changeColumns+` FROM crew_change WHERE account = $1 AND gone = 0 AND `+where,
		slices.Concat([]any{s.account}, args)...)
	return list, wrapf(err, "read crew changes")
}
