package gangway

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

// aCrew returns a crew change whose people are letters: those in capitals join, the others leave.
func aCrew(date Date, people string) CrewChange {
	c := CrewChange{Vessel: "Nordlys", Flag: "NO", ChangeDate: date, Origin: Origin{Source: Uploaded}}
	for _, p := range people {
		m := CrewMember{Traveller: Traveller{ID: strings.ToLower(string(p)), LastName: string(p), FirstName: "X"}}
		if p < 'a' {
			c.OnSigners = append(c.OnSigners, m)
		} else {
			c.OffSigners = append(c.OffSigners, m)
		}
	}
	return c
}

func TestDecideMoves(t *testing.T) {
	known := func(date Date, people string, with ...func(*KnownChange)) KnownChange {
		k := KnownChange{CrewChange: aCrew(date, people)}
		for _, do := range with {
			do(&k)
		}
		return k
	}
	moves := func(list ...DateMove) func(*KnownChange) { return func(k *KnownChange) { k.Moves = list } }
	old := known("2026-12-10", "ABcd")
	for _, tt := range []struct {
		name  string
		date  Date
		crew  string
		known []KnownChange
		want  string // "moved", "new", or why people are asked
		with  func(*SentChange)
	}{
		{"7 days later", "2026-12-17", "ABcd", []KnownChange{old}, "moved", nil},
		{"3 days before", "2026-12-07", "ABcd", []KnownChange{old}, "moved", nil},
		{"half of both", "2026-12-11", "ABXy", []KnownChange{old}, "moved", nil},
		{"the vessel in other letters", "2026-12-11", "ABcd", []KnownChange{old}, "moved",
			func(s *SentChange) { s.Vessel = " NORDLYS" }},
		{"8 days", "2026-12-18", "ABcd", []KnownChange{old}, "8 days apart, 4 of 4 people the same", nil},
		{"21 days", "2026-12-31", "ABcd", []KnownChange{old}, "21 days apart, 4 of 4 people the same", nil},
		{"22 days", "2027-01-01", "ABcd", []KnownChange{old}, "new", nil},
		{"less than half of the new one", "2026-12-11", "ABVWX", []KnownChange{old},
			"1 day apart, 2 of 5 people the same", nil},
		{"less than half of the old one", "2026-12-11", "ABcd", []KnownChange{known("2026-12-10", "ABcdEFGHI")},
			"1 day apart, 4 of 9 people the same", nil},
		{"a quarter", "2026-12-11", "AXyz", []KnownChange{old}, "1 day apart, 1 of 4 people the same", nil},
		{"less than a quarter", "2026-12-11", "AVWxy", []KnownChange{old}, "new", nil},
		{"the same people on the other side", "2026-12-17", "CDab", []KnownChange{old}, "new", nil},
		{"another flag", "2026-12-11", "ABcd", []KnownChange{old}, "new", func(s *SentChange) { s.Flag = "PA" }},
		{"another vessel", "2026-12-11", "ABcd", []KnownChange{old}, "new",
			func(s *SentChange) { s.Vessel = "Nordlys II" }},
		{"the old one has an identifier", "2026-12-11", "ABcd", []KnownChange{known("2026-12-10", "ABcd",
			func(k *KnownChange) { k.TravelRequestID = "CC-1" })}, "new", nil},
		{"the new one has an identifier", "2026-12-11", "ABcd", []KnownChange{old}, "new",
			func(s *SentChange) { s.TravelRequestID = "CC-1" }},
		{"another source", "2026-12-11", "ABcd", []KnownChange{old}, "they come from different sources",
			func(s *SentChange) { s.Origin.Source = FeedSource("crew") }},
		{"the old one is past", "2026-12-03", "ABcd", []KnownChange{known("2026-11-29", "ABcd")}, "new", nil},
		{"somebody has flown", "2026-12-11", "ABcd", []KnownChange{known("2026-12-10", "ABcd",
			func(k *KnownChange) { k.Flown = true })}, "somebody has flown for it already", nil},
		{"the same upload", "2026-12-11", "ABcd", []KnownChange{known("2026-12-10", "ABcd",
			func(k *KnownChange) { k.Sent = true })}, "new", nil},
		{"its date was not asked again", "2026-12-11", "ABcd", []KnownChange{known("2026-12-10", "ABcd",
			func(k *KnownChange) { k.Stays = true })}, "new", nil},
		{"one has exactly the date", "2026-12-11", "ABcd", []KnownChange{old},
			"another one has this date, with an identifier", func(s *SentChange) { s.Taken = true }},
		{"two fit", "2026-12-11", "ABcd", []KnownChange{old, known("2026-12-14", "ABcd")},
			"several crew changes fit; several crew changes fit", nil},
		{"undone", "2026-12-11", "ABcd", []KnownChange{known("2026-12-10", "ABcd",
			moves(DateMove{From: "2026-12-10", To: "2026-12-11", Undone: true}))},
			"this move was taken back before", nil},
		{"went back once", "2026-12-11", "ABcd", []KnownChange{known("2026-12-10", "ABcd",
			moves(CrewChange{Moves: []DateMove{{From: "2026-12-10", To: "2026-12-11"}}}.
				WithMove(DateMove{From: "2026-12-11", To: "2026-12-10"})...))},
			"this move was taken back before", nil},
		{"back to the former date, however far", "2026-12-01", "ABcd", []KnownChange{known("2026-12-10", "ABcd",
			moves(DateMove{From: "2026-12-01", To: "2026-12-06"}, DateMove{From: "2026-12-06", To: "2026-12-10"}))},
			"moved", nil},
		{"the former date with other people", "2026-12-08", "WXyz", []KnownChange{known("2026-12-10", "ABcd",
			moves(DateMove{From: "2026-12-08", To: "2026-12-10"}))}, "new", nil},
		{"what was there has other people now", "2026-12-14", "ABcd", []KnownChange{old}, "its people have changed",
			func(s *SentChange) { was := aCrew("2026-12-14", "WXyz"); s.Was = &was }},
		{"it had them before", "2026-12-14", "ABcd", []KnownChange{old}, "new",
			func(s *SentChange) { was := aCrew("2026-12-14", "ABxy"); s.Was = &was }},
	} {
		s := SentChange{CrewChange: aCrew(tt.date, tt.crew)}
		if tt.with != nil {
			tt.with(&s)
		}
		v := DecideMoves([]SentChange{s}, tt.known, Today{Earliest: "2026-12-01", Latest: "2026-12-02"})[0]
		got := "new"
		if v.Moved != "" {
			got = "moved"
		}
		for i, d := range v.Asks {
			got = strings.TrimPrefix(strings.Repeat(got+"; ", min(i, 1))+d.Why, "new; ")
		}
		if got != tt.want {
			t.Errorf("%s: %s; want %s", tt.name, got, tt.want)
		}
	}
	two := []SentChange{{CrewChange: aCrew("2026-12-11", "ABcd")}, {CrewChange: aCrew("2026-12-12", "ABcd")}}
	for i, v := range DecideMoves(two, []KnownChange{old}, Today{Earliest: "2026-12-01"}) {
		if v.Moved != "" || len(v.Asks) != 1 {
			t.Errorf("two new ones fit one: the verdict on %d is %+v; want a question", i, v)
		}
	}
}

// A planned account is what uploads without identifiers leave, by the rule alone.
type plannedAccount struct {
	list    []CrewChange
	settled map[[2]string]bool // pairs that were sent together, moved, or asked about
}

func pairOf(a, b string) [2]string { return [2]string{min(a, b), max(a, b)} }

func (p *plannedAccount) upload(sent []CrewChange, n int) {
	var fresh []SentChange
	var at []int
	dates := map[Date]bool{}
	for _, c := range sent {
		dates[c.ChangeDate] = true
		i := slices.IndexFunc(p.list, func(k CrewChange) bool { return k.ChangeDate == c.ChangeDate })
		s := SentChange{CrewChange: c}
		if i >= 0 {
			s.Was = &p.list[i]
		}
		fresh, at = append(fresh, s), append(at, i)
	}
	var known []KnownChange
	for _, k := range p.list {
		known = append(known, KnownChange{CrewChange: k, Sent: dates[k.ChangeDate]})
	}
	var keys []string
	for i, v := range DecideMoves(fresh, known, Today{Earliest: "2026-12-01"}) {
		c := sent[i]
		switch {
		case at[i] >= 0:
			c.StoredKey, c.Moves = p.list[at[i]].Key(), p.list[at[i]].Moves
		case v.Moved != "":
			at[i] = slices.IndexFunc(p.list, func(k CrewChange) bool { return k.Key() == v.Moved })
			old := p.list[at[i]]
			c.StoredKey, c.Moves = old.Key(), old.WithMove(DateMove{From: old.ChangeDate, To: c.ChangeDate})
		default:
			c.StoredKey = fmt.Sprint(n, " ", i)
			p.list, at[i] = append(p.list, c), len(p.list)
		}
		p.list[at[i]] = c
		for _, d := range v.Asks {
			p.settled[pairOf(d.Key, c.Key())] = true
		}
		keys = append(keys, c.Key())
	}
	for _, a := range keys {
		for _, b := range keys {
			p.settled[pairOf(a, b)] = true
		}
	}
}

// TestNoTwoAreLeft holds for random uploads of one vessel without identifiers: no two crew changes that were sent
// apart, at most 21 days apart, share a quarter of their people on the same side without a question.
func TestNoTwoAreLeft(t *testing.T) {
	for seed := range uint64(1000) {
		r := rand.New(rand.NewPCG(seed, 26))
		p := plannedAccount{settled: map[[2]string]bool{}}
		var told strings.Builder
		for n := range 6 {
			var sent []CrewChange
			for _, day := range r.Perm(40)[:1+r.IntN(3)] {
				people := ""
				for _, i := range r.Perm(8)[:1+r.IntN(7)] {
					people += string("ABCDefgh"[i])
				}
				c := aCrew(Date("2026-12-02").AddDays(day), people)
				sent = append(sent, c)
				fmt.Fprintf(&told, "%d: %s %s\n", n, c.ChangeDate, people)
			}
			p.upload(sent, n)
			for i, a := range p.list {
				for _, b := range p.list[:i] {
					if a.ChangeDate == b.ChangeDate {
						t.Fatalf("seed %d: two on %s after\n%s", seed, a.ChangeDate, &told)
					}
					if a.daysFrom(b) <= 21 && share(4, a, b) && !p.settled[pairOf(a.Key(), b.Key())] {
						t.Fatalf("seed %d: nobody is asked about %s and %s after\n%s", seed, a.ChangeDate,
							b.ChangeDate, &told)
					}
				}
			}
		}
	}
	for _, days := range []int{7, 14} { // schedules stay as sent
		p := plannedAccount{settled: map[[2]string]bool{}}
		var sent []CrewChange
		for i := range 6 {
			sent = append(sent, aCrew(Date("2026-12-02").AddDays(i*days), "ABcd"))
		}
		p.upload(sent, 0)
		p.upload(sent, 1)
		if len(p.list) != 6 || slices.ContainsFunc(p.list, func(c CrewChange) bool { return c.Moves != nil }) {
			t.Errorf("a schedule each %d days became %d crew changes: %+v", days, len(p.list), p.list)
		}
	}
}

func TestAMoveCanBeUndoneFor30Days(t *testing.T) {
	at := time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)
	c := CrewChange{Moves: []DateMove{{From: "2026-12-10", To: "2026-12-12", At: at}}}
	for after, want := range map[time.Duration]int{0: 0, 30*24*time.Hour - time.Second: 0, 30 * 24 * time.Hour: -1} {
		if got := c.Undoable(at.Add(after)); got != want {
			t.Errorf("%s later: move %d can be undone; want %d", after, got, want)
		}
	}
	c.Moves = c.WithMove(DateMove{From: "2026-12-12", To: "2026-12-14", At: at})
	c.Moves[1].Undone = true
	if got := c.Undoable(at); got != 0 {
		t.Errorf("after the second was undone, move %d can be; want the first", got)
	}
}
