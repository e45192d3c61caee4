package gangway

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// A DateMove is a move of a crew change without an identifier to another date.
type DateMove struct {
	From Date      `json:"from"`
	To   Date      `json:"to"`
	At   time.Time `json:"at"`
	By   string    `json:"by,omitempty"` // the person who said so; empty: the rule decided
	Why  string    `json:"why"`
	Back bool      `json:"back,omitempty"` // it went back to a date that it had before
	Over bool      `json:"over,omitempty"` // it went back since

	Undone bool `json:"undone,omitempty"` // by a person
}

// undoFor is how long a person can undo a move.
const undoFor = 30 * 24 * time.Hour

// Recent reports whether the move was made so lately that it can be undone.
func (m DateMove) Recent(now time.Time) bool { return now.Before(m.At.Add(undoFor)) }

// MovedFrom reports whether a date names c only because c had it before.
func (c CrewChange) MovedFrom(date Date) bool {
	return date != c.ChangeDate &&
		slices.ContainsFunc(c.Moves, func(m DateMove) bool { return !m.Undone && m.From == date })
}

// Undoable returns the position of the move of c that can be undone: the latest, for 30 days; -1: none.
func (c CrewChange) Undoable(now time.Time) int {
	for i, m := range slices.Backward(c.Moves) {
		if !m.Undone {
			return map[bool]int{true: i, false: -1}[!m.Over && m.Recent(now)]
		}
	}
	return -1
}

// WithMove returns the moves of c after m. The moves that m takes back are over.
func (c CrewChange) WithMove(m DateMove) []DateMove {
	moves := slices.Clone(c.Moves)
	for i := range moves {
		if !moves[i].Undone && (m.Back || moves[i].From == m.To) {
			m.Back, moves[i].Over = true, true
		}
	}
	return append(moves, m)
}

// A KnownChange is a stored crew change as the rule about moves sees it.
type KnownChange struct {
	CrewChange
	Sent  bool // the same upload, answer or run has it, too
	Flown bool // somebody in it has flown
	Stays bool // it came by call, and its date was not asked again since
}

// A SentChange is a crew change without an identifier that was sent for a date.
type SentChange struct {
	CrewChange
	Was   *CrewChange // what was stored for the date; nil: nothing
	Taken bool        // the vessel has a crew change with an identifier on the date
}

// A MoveVerdict says which stored crew change one that was sent is.
type MoveVerdict struct {
	Moved string      // the key of the crew change that moved to the date; empty: none
	Why   string      // of Moved
	Asks  []MoveDoubt // the others that it may be: a person decides
}

// A MoveDoubt is a stored crew change that may be the one that was sent, and why the rule does not say so.
type MoveDoubt struct{ Key, Why string }

// A crew change moves by at most movedDays, and people are asked about at most AskedDays.
const (
	movedDays = 7
	AskedDays = 21
)

// DecideMoves is the rule about crew changes without an identifier that come for another date. It says for
// each that was sent whether it is a stored one that has moved, is new, or may be a stored one.
//
// Decided: docs/choices.md, "A ship that moves without an identifier".
func DecideMoves(sent []SentChange, known []KnownChange, today Today) []MoveVerdict {
	verdicts, moved := make([]MoveVerdict, len(sent)), map[string]bool{}
	fits, fitFor := map[int][]int{}, map[int]int{} // the known that each sent one may be, and how many it may be
	for i, s := range sent {
		for j, k := range known {
			switch why, related := s.doubt(k, today); {
			case !related:
			case why == "":
				fits[i] = append(fits[i], j)
				fitFor[j]++
			default:
				verdicts[i].Asks = append(verdicts[i].Asks, MoveDoubt{k.Key(), why})
			}
		}
	}
	for i, list := range fits {
		v, k := &verdicts[i], known[list[0]]
		switch {
		case len(list) > 1 || fitFor[list[0]] > 1:
			for _, j := range list {
				v.Asks = append(v.Asks, MoveDoubt{known[j].Key(), "several crew changes fit"})
			}
		case !k.Stays:
			v.Moved, v.Why, moved[k.Key()] = k.Key(), sent[i].Alike(k.CrewChange), true
			v.Asks = slices.DeleteFunc(v.Asks, func(d MoveDoubt) bool { // what k was may be those as well as what it is
				return slices.ContainsFunc(known, func(o KnownChange) bool {
					return o.Key() == d.Key && related(k.CrewChange, o.CrewChange)
				})
			})
		}
	}
	for i := range verdicts { // what has moved here is by now in the same upload
		verdicts[i].Asks = slices.DeleteFunc(verdicts[i].Asks, func(d MoveDoubt) bool { return moved[d.Key] })
	}
	return verdicts
}

// doubt says why s is not simply k, moved; empty: it is. They are not related if s is another crew change.
func (s SentChange) doubt(k KnownChange, today Today) (why string, ok bool) {
	_, now := k.Where()
	switch {
	case k.Sent || k.TravelRequestID != "" || s.TravelRequestID != "" || s.ChangeDate == k.ChangeDate,
		today.Over(s.ChangeDate) || today.Over(max(now, k.ChangeDate)), !related(s.CrewChange, k.CrewChange),
		s.Was != nil && related(*s.Was, k.CrewChange): // that was so before, and was decided then
		return "", false
	case s.Was != nil:
		return "its people have changed", true
	case s.Taken:
		return "another one has this date, with an identifier", true
	case k.Origin.Source != s.Origin.Source:
		return "they come from different sources", true
	case k.Flown:
		return "somebody has flown for it already", true
	case slices.ContainsFunc(k.Moves, func(m DateMove) bool {
		return m.To == s.ChangeDate && (m.Over || m.Undone || m.Back)
	}):
		return "this move was taken back before", true
	case !share(2, s.CrewChange, k.CrewChange), s.daysFrom(k.CrewChange) > movedDays && !k.MovedFrom(s.ChangeDate):
		return s.Alike(k.CrewChange), true
	}
	return "", true
}

// related reports whether people may wonder if a is b on another date.
func related(a, b CrewChange) bool {
	return a.sameShip(b) && a.ChangeDate.Valid() && b.ChangeDate.Valid() &&
		(a.daysFrom(b) <= AskedDays && share(4, a, b) || b.MovedFrom(a.ChangeDate) && share(2, a, b))
}

func (c CrewChange) sameShip(other CrewChange) bool {
	return c.Flag == other.Flag && Fold(c.Vessel) == Fold(other.Vessel)
}

// daysFrom returns how many days are between c and other.
func (c CrewChange) daysFrom(other CrewChange) int {
	days := c.ChangeDate.DaysTo(other.ChangeDate)
	return max(days, -days)
}

// share reports whether at least one in so many of the people of each is the same person on the same side in both.
func share(of int, a, b CrewChange) bool {
	both := of * a.sharedWith(b)
	return both > 0 && both >= a.Size() && both >= b.Size()
}

// sharedWith returns how many people are on the same side in both.
func (c CrewChange) sharedWith(other CrewChange) int {
	seen := map[*CrewMember]bool{}
	for _, side := range [][2][]CrewMember{{c.OnSigners, other.OnSigners}, {c.OffSigners, other.OffSigners}} {
		there := newRoster(side[1])
		for _, m := range side[0] {
			if i, is := there.find(m.Traveller); is {
				seen[&side[1][i]] = true
			}
		}
	}
	return len(seen)
}

// Alike says how much c and other have in common.
func (c CrewChange) Alike(other CrewChange) string {
	days := "1 day"
	if n := c.daysFrom(other); n != 1 {
		days = fmt.Sprint(n, " days")
	}
	return fmt.Sprintf("%s apart, %d of %d people the same", days, c.sharedWith(other), max(c.Size(), other.Size()))
}

// namedByDate is how Name begins for crew changes without an identifier.
const namedByDate = "on:"

// NamedByDate reports whether a name is that of a crew change without an identifier.
func NamedByDate(name string) bool { return strings.HasPrefix(name, namedByDate) }

// ShipIn returns the flag and vessel in the name of a crew change without an identifier; empty: it is another name.
func ShipIn(name string) string {
	if !NamedByDate(name) {
		return ""
	}
	_, ship, _ := strings.Cut(name[len(namedByDate):], ":")
	return ship
}
