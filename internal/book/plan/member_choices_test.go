package plan

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"gangway/internal/book"
	"gangway/internal/gangway"
)

// TestChoices checks that offers are graded once for everybody who looks, and again
// when there are more of them or the plan changes.
func TestChoices(t *testing.T) {
	m := gangway.SearchMember{Side: gangway.OnSigner, Legs: []gangway.Leg{{Origin: "MNL", Destination: "AMS",
		ArriveOn: "2026-12-02", ArriveBy: "12:00"}}}
	s := newSession(1, time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC))
	offer := sample(t)
	s.add(book.FoundOffers{Offers: offers(offer[:2])})
	first := s.Look().Choices(0, m, gangway.Plan{}, gangway.Settings{})
	if again := s.Look().Choices(0, m, gangway.Plan{}, gangway.Settings{}); len(first) != 2 || &again[0] != &first[0] {
		t.Errorf("a second look returned %d new choices; want the same 2", len(again))
	}
	later := m
	later.Legs = []gangway.Leg{{Origin: "MNL", Destination: "AMS", ArriveOn: "2026-12-03", ArriveBy: "12:00"}}
	moved := s.Look().Choices(0, later, gangway.Plan{}, gangway.Settings{})
	if moved[0].Spare.Left != first[0].Spare.Left+
		24*time.Hour {
		t.Errorf("a day later there are %s to spare; want a day more than %s", moved[0].Spare.Left, first[0].Spare.Left)
	}
	if none := s.Look().Choices(0, m, gangway.Plan{Unneeded: gangway.LeftOut}, gangway.Settings{}); none[0].Fit.OK() {
		t.Error("somebody who is left out has flights that fit")
	}
	ruled := func(nights int, hour string) *Choice {
		of := gangway.CrewRules{Nights: &nights}
		return &s.Look().Choices(0, m, gangway.Plan{Side: gangway.OnSigner, Hour: hour, Rules: of},
			gangway.Settings{Crew: of})[0]
	}
	if kept := ruled(1, ""); kept != ruled(1, "") || kept == ruled(2, "") || ruled(2, "") == ruled(2, "06:00") {
		t.Error("choices are not kept by the rules of the crew change and the ship's hour")
	}
	s.add(book.FoundOffers{Offers: offers(offer[2:]), Done: true})
	if all := s.Look().Choices(0, m, gangway.Plan{}, gangway.Settings{}); len(all) != 3 {
		t.Errorf("when all is found there are %d choices; want 3", len(all))
	}
}

// TestChoicesNameNobody checks that a session, which erasure does not go through,
// contains nothing about a traveller.
func TestChoicesNameNobody(t *testing.T) {
	m := gangway.SearchMember{
		Traveller: gangway.Traveller{LastName: "Santos", FirstName: "Maria", DocNumber: "P1234567"},
		Wishes:    map[string]string{"remark": "Mrs Santos", "MNL-AMS_departure_time": "09:00"},
	}
	s := newSession(1, time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC))
	s.add(book.FoundOffers{Offers: offers(sample(t))})
	first := s.Look().Choices(0, m, gangway.Plan{}, gangway.Settings{})
	if kept := fmt.Sprintf("%+v", s.choices[0].basis); strings.Contains(kept, "Santos") ||
		strings.Contains(kept, "P1234567") {
		t.Errorf("a session keeps %s", kept)
	}
	m.Wishes = map[string]string{"remark": "Mrs Santos", "MNL-AMS_departure_time": "10:00"}
	if later := s.Look().Choices(0, m, gangway.Plan{}, gangway.Settings{}); &later[0] == &first[0] {
		t.Error("choices for another wish were not graded again")
	}
}
