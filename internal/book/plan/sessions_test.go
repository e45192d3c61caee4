package plan

import (
	"testing"
	"time"

	"gangway/internal/gangway"
)

func TestSearchKey(t *testing.T) {
	s := gangway.Search{ID: "s1",
		Members: []gangway.SearchMember{{Legs: []gangway.Leg{{Origin: "MNL", Destination: "AMS", Date: "2026-12-01"}}}}}
	moved := s
	moved.Members = []gangway.SearchMember{{Legs: []gangway.Leg{{Origin: "MNL", Destination: "ANR",
		Date: "2026-12-01"}}}}
	a, chosen := gangway.Scope{Account: "a"}, s
	chosen.Members = []gangway.SearchMember{{Legs: s.Members[0].Legs, Chosen: "x"}}
	if searchKey(a, s) == searchKey(a, moved) || searchKey(a, s) == searchKey(gangway.Scope{Account: "b"}, s) ||
		searchKey(a, s) == searchKey(gangway.Scope{Account: "a", Ahead: time.Hour}, s) {
		t.Error("another airport, another account or another clock is the same session")
	}
	if searchKey(a, s) != searchKey(a, chosen) {
		t.Error("choosing a flight begins another session")
	}
}

func TestSessionsAreLetGo(t *testing.T) {
	ss, now := &Sessions{kept: map[string]*Session{}}, time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC)
	for i := range sessionsKept + 20 {
		ss.kept[searchKey(gangway.Scope{Account: "a"}, gangway.Search{ID: string(rune('a' + i))})] = &Session{
			used: now.Add(time.Duration(i-sessionsKept-20) * time.Second)}
	}
	ss.trim(now)
	if len(ss.kept) != sessionsKept {
		t.Errorf("%d are kept; want %d", len(ss.kept), sessionsKept)
	}
	for _, session := range ss.kept {
		session.offers = offersUnused / 10
	}
	if ss.trim(now.Add(unused / 2)); len(ss.kept) != 29 { // looked at within the minute
		t.Errorf("%d searches are kept; want 29", len(ss.kept))
	}
	if n := ss.trim(now.Add(2 * unused)); n > offersUnused || len(ss.kept) != 10 {
		t.Errorf("%d searches with %d offers are kept; want 10, which nobody looks at", len(ss.kept), n)
	}
	ss.trim(now.Add(life + time.Hour))
	if len(ss.kept) != 0 {
		t.Errorf("%d old ones are kept; want none", len(ss.kept))
	}
}
