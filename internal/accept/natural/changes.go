package natural

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"gangway/internal/accept/decode"
	"gangway/internal/gangway"

	"github.com/go-json-experiment/json/jsontext"
)

// Changes are the crew changes of a table in which each row is a member. The rows of a crew change need
// not be adjacent, so that all are read before the first is complete. They come in the order of their
// first rows.
type changes struct {
	n     *Records
	byKey map[string]*change
	list  []*change
	ended error
	given int
}

// A change is a crew change, with the rows of its members.
type change struct {
	head    map[string]string // its own members
	sides   map[string][]member
	first   decode.Item
	wrong   *decode.RecordError // what of its rows does not fit together
	wrongAt decode.Place
}

type member struct {
	json json.RawMessage
	row  decode.Item // without its value
}

// headNames are the columns of a crew change itself.
var headNames = func() (names []string) {
	for _, m := range gangway.MembersOf(gangway.CrewChangesFlow) {
		if m.IsText() {
			names = append(names, m.Name)
		}
	}
	return names
}()

func (c *changes) next() (decode.Record, error) {
	if c.byKey == nil {
		c.byKey = map[string]*change{}
		c.ended = c.readAll()
	}
	if c.given == len(c.list) {
		return decode.Record{}, c.ended
	}
	now := c.list[c.given]
	c.list[c.given] = nil
	c.given++
	c.n.change = now
	if now.sides == nil {
		return decode.Record{At: now.wrongAt}, now.wrong
	}
	var err error
	if c.n.record, err = appendJSON(c.n.record[:0], now.value()); err != nil {
		return decode.Record{At: now.first.At}, err
	}
	record := decode.Record{JSON: jsontext.Value(c.n.record), At: now.first.At}
	if now.wrong != nil { // what else is wrong is said at the same time
		record.At = now.wrongAt
		return record, now.wrong
	}
	return record, nil
}

// readAll reads all rows, and returns why there are no more.
func (c *changes) readAll() error {
	for {
		item, err := c.n.doc.Next()
		if err == nil {
			err = c.add(item)
		}
		var alone *decode.RecordError
		switch {
		case errors.As(err, &alone):
			c.list = append(c.list, &change{wrong: alone, wrongAt: item.At})
		case err != nil:
			return err
		}
	}
}

// add adds a row to its crew change.
func (c *changes) add(item decode.Item) error {
	record := newRowRecord()
	if err := c.n.columns.read(item, record.set); err != nil {
		return err
	}
	row := item
	row.Value = nil
	head := map[string]string{}
	for _, name := range headNames {
		head[name], _ = record.members[name].(string)
	}
	to := c.changeOf(head, row)
	said, _ := record.members["side"].(string)
	side := sides[folded(said)]
	if side == "" {
		to.refuse(row.Cell(c.n.columns.named("side", row)), `its column side must say "on" or "off" for each member`)
		side = "onsigners" // so that the rest of the row is looked at
	}
	content, _ := record.members["member"].(map[string]any)
	if content == nil {
		content = map[string]any{}
	}
	doc, err := appendJSON(nil, content)
	if err != nil {
		to.refuse(row.At, err.Error())
		return nil
	}
	to.sides[side] = append(to.sides[side], member{doc, row})
	for _, name := range headNames {
		switch before := to.head[name]; {
		case before == "":
			to.head[name] = head[name]
		case head[name] != "" && !sameHead(name, before, head[name]):
			to.refuse(row.Cell(c.n.columns.named(name, row)), fmt.Sprintf("its rows differ in %s", name))
		}
	}
	return nil
}

func sameHead(name, a, b string) bool {
	return a == b || name == "vessel" && gangway.Fold(a) == gangway.Fold(b) ||
		name == "flag" && strings.EqualFold(a, b)
}

// changeOf returns the crew change of a row.
func (c *changes) changeOf(head map[string]string, row decode.Item) *change {
	key := gangway.CrewChange{TravelRequestID: head["travel_request_id"], Vessel: head["vessel"],
		Flag: gangway.Country(strings.ToUpper(head["flag"])), ChangeDate: gangway.Date(head["change_date"])}.Key()
	to := c.byKey[key]
	if to == nil {
		to = &change{head: head, sides: map[string][]member{}, first: row}
		c.byKey[key] = to
		c.list = append(c.list, to)
	}
	return to
}

// mostWrong is how much is said of a crew change's rows that do not fit together, in bytes.
const mostWrong = 1000

// refuse notes what is wrong with the rows of a crew change.
func (c *change) refuse(at decode.Place, why string) {
	switch {
	case c.wrong == nil:
		c.wrong, c.wrongAt = &decode.RecordError{Msg: why}, at
	case len(c.wrong.Msg) < mostWrong:
		c.wrong.Msg += fmt.Sprintf("; %s (%s)", why, at)
	}
}

// sides are the ways to say on which side a member is, folded.
var sides = map[string]string{
	"on": "onsigners", "onsigner": "onsigners", "onsigners": "onsigners", "signon": "onsigners",
	"signingon": "onsigners", "join": "onsigners", "joining": "onsigners", "joiner": "onsigners",
	"off": "offsigners", "offsigner": "offsigners", "offsigners": "offsigners", "signoff": "offsigners",
	"signingoff": "offsigners", "leave": "offsigners", "leaving": "offsigners", "leaver": "offsigners",
}

// value is the crew change as a record.
func (c *change) value() map[string]any {
	record := map[string]any{}
	for name, text := range c.head {
		if text != "" {
			record[name] = text
		}
	}
	for side, members := range c.sides {
		list := make([]any, len(members))
		for i := range members {
			list[i] = members[i].json
			members[i].json = nil
		}
		record[side] = list
	}
	return record
}

var ofMember = regexp.MustCompile(`^(Onsigners|Offsigners)\[(\d+)\]\.?(.*)$`)

// placeOf returns where the value of a field stands: in the row of the member, or else in the first row.
func (c *change) placeOf(of *columns, field string, at decode.Place) decode.Place {
	if c.sides == nil { // a row that cannot be read
		return at
	}
	found := ofMember.FindStringSubmatch(field)
	if found == nil {
		return of.place(c.first, field)
	}
	i, err := strconv.Atoi(found[2])
	members := c.sides[strings.ToLower(found[1])]
	switch {
	case err != nil || i >= len(members):
		return c.first.At
	case found[3] == "":
		return members[i].row.At
	}
	return of.place(members[i].row, "member"+found[3])
}

// named returns what the column of a member is called in a row's table.
func (c *columns) named(name string, row decode.Item) string {
	for _, column := range row.Names() {
		if to := c.paths[column]; len(to) == 1 && to[0] == name {
			return column
		}
	}
	return name
}
