package plan

import (
	"slices"
	"testing"

	"gangway/internal/gangway"
)

func TestMoveMember(t *testing.T) {
	s := gangway.Search{Date: "2026-12-01", Airport: "AMS"}
	tests := []struct {
		name string
		m    gangway.SearchMember
		want []gangway.Leg
	}{
		{"an on-signer goes there, as many days later", gangway.SearchMember{Side: gangway.OnSigner,
			Legs: []gangway.Leg{{Origin: "MNL", Destination: "AMS", ArriveOn: "2026-11-30", ArriveBy: "18:00"}}},
			[]gangway.Leg{{Origin: "MNL", Destination: "ANR", ArriveOn: "2026-12-02", ArriveBy: "18:00"}}},
		{"an off-signer leaves from there", gangway.SearchMember{Side: gangway.OffSigner,
			Legs: []gangway.Leg{{Origin: "AMS", Destination: "GDN", Date: "2026-12-01"}}},
			[]gangway.Leg{{Origin: "ANR", Destination: "GDN", Date: "2026-12-03"}}},
		{"somebody who needed no flight may need one now", gangway.SearchMember{Side: gangway.OnSigner,
			Traveller: gangway.Traveller{HomeAirport: "AMS"}},
			[]gangway.Leg{{Origin: "AMS", Destination: "ANR", ArriveOn: "2026-12-03"}}},
		{"somebody who lives there needs none", gangway.SearchMember{Side: gangway.OnSigner,
			Traveller: gangway.Traveller{HomeAirport: "ANR"}}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.m.Chosen = "something"
			MoveMember(&tt.m, s, "ANR", "2026-12-03")
			if !slices.Equal(tt.m.Legs, tt.want) || tt.m.Chosen != "something" || !tt.m.Carried {
				t.Fatalf("legs = %v, chosen %q, carried %v; want %v and the choice carried over", tt.m.Legs,
					tt.m.Chosen, tt.m.Carried, tt.want)
			}
		})
	}
}
