package book

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"gangway/internal/background"
	"gangway/internal/book/flight"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/world"

	"golang.org/x/sync/errgroup"
)

// searchesAtOnce bounds how many members of one search are looked up side by
// side: enough to be quick, few enough to leave a supplier and other users room.
const searchesAtOnce = 6

// FoundOffers is a part of a search's results: offers for one member as they come.
type FoundOffers struct {
	Member int // position in the search
	Offers []flight.Offer
	Done   bool  // nothing more comes for this member
	Err    error // with Done: why there may be more that could not be found
}

// Search looks for flights for the members of s, several side by side and in their
// order, and passes what it finds to found as it comes, never twice at once. A
// member whose search fails does not stop the others.
func (d *Desk) Search(ctx context.Context, in store.Scoped, s gangway.Search, found func(FoundOffers)) error {
	supplier, err := d.suppliers(ctx, in, "")
	if err != nil {
		return err
	}
	account, err := in.Account(ctx)
	if err != nil {
		return err
	}
	var mu sync.Mutex
	answered, silent := 0, 0
	tell := func(f FoundOffers) {
		mu.Lock()
		defer mu.Unlock()
		if ctx.Err() != nil {
			return
		}
		if f.Done && f.Err == nil {
			answered++
		} else if gangway.KindOf(f.Err) == gangway.Unavailable {
			silent++
		}
		found(f)
	}
	var g errgroup.Group
	g.SetLimit(searchesAtOnce)
	for i, m := range s.Members {
		g.Go(func() error {
			if ctx.Err() != nil {
				return nil // the search was given up, so the rest is not started
			}
			err := background.Guard(d.log, "search for one of many", func() error {
				return d.searchMember(ctx, supplier, account.Settings, s, m, func(offers []flight.Offer) {
					tell(FoundOffers{Member: i, Offers: offers})
				})
			})
			tell(FoundOffers{Member: i, Done: true, Err: err})
			return nil
		})
	}
	g.Wait()
	d.noteAnswers(ctx, in, account, answered, silent)
	return ctx.Err()
}

// noteAnswers notes whether the account's supplier has answered a search, where that is news: pages tell bookers.
func (d *Desk) noteAnswers(ctx context.Context, in store.Scoped, account gangway.Account, answered, silent int) {
	var err error
	ctx = context.WithoutCancel(ctx)
	switch {
	case answered > 0 && !account.SilentSince.IsZero():
		err = in.SupplierAnswers(ctx)
	case answered == 0 && silent > 0 && account.SilentSince.IsZero():
		err = in.SupplierSilent(ctx, d.clock())
	}
	if err != nil {
		d.log.Warn("whether a supplier answers could not be noted", d.db.Whose(ctx, in.Scope()), "error", err)
	}
}

func (d *Desk) searchMember(ctx context.Context, supplier flight.Supplier, settings gangway.Settings, s gangway.Search,
	m gangway.SearchMember, found func([]flight.Offer)) error {
	if err := completeReach(m); err != nil {
		return err
	}
	ask, err := askOf(settings, s, m)
	if err != nil {
		return err
	}
	return supplier.Search(ctx, ask, func(offers []flight.Offer) {
		offers = slices.DeleteFunc(slices.Clone(offers), func(o flight.Offer) bool {
			return maySell(settings, o) != nil
		})
		if len(offers) > 0 {
			found(offers)
		}
	})
}

// maySell returns why an offer of any supplier is not sold to an account.
func maySell(settings gangway.Settings, o flight.Offer) error {
	return flight.MaySell(o.Itinerary, o.Terms.FareType, o.Plating, settings.AdmitSanctioned)
}

// completeReach returns what is missing before flights can be looked for.
func completeReach(m gangway.SearchMember) error {
	if len(m.Legs) == 0 {
		return gangway.Errorf(gangway.Invalid, "it is not known where this traveller has to fly: fill in from, to "+
			"and date")
	}
	for _, leg := range m.Legs {
		if leg.Origin == "" || leg.Destination == "" {
			return gangway.Errorf(gangway.Invalid, "an airport is missing: fill in from and to")
		}
		if leg.Date == "" && leg.ArriveOn == "" {
			return gangway.Errorf(gangway.Invalid, "the date is missing: fill in when to leave or when to be there")
		}
	}
	return nil
}

// askOf returns the request to suppliers for a member of a search.
func askOf(settings gangway.Settings, s gangway.Search, m gangway.SearchMember) (flight.Ask, error) {
	legs, err := flight.LegsOf(m.Legs)
	if err != nil {
		return flight.Ask{}, err
	}
	for i, leg := range m.Legs {
		legs[i].Wish = m.Wishes[string(leg.Origin)+"-"+string(leg.Destination)+"_departure_time"]
	}
	return flight.Ask{Legs: legs, FareType: m.FareType, Vessel: s.Vessel, Flag: s.Flag, MaxStops: -1,
		Currency: settings.Currency, Sanctioned: settings.AdmitSanctioned}, nil
}

// SearchForRequest prepares a search from a travel request.
func SearchForRequest(r gangway.TravelRequest, by string, now time.Time) gangway.Search {
	m := gangway.SearchMember{
		Traveller: r.Traveller, Rank: r.Rank, RequestID: r.RequestID, SubRequestID: r.SubRequestID,
		Wishes: r.AdditionalInfo, CustomFields: r.CustomFields,
	}
	if r.Flight != nil {
		m.Legs = r.Flight.Legs()
		if r.Flight.Reading() == gangway.Unordered {
			m.Warnings = append(m.Warnings, "The dates that came with this request are in no order; fill in the day "+
				"of each flight.")
		}
	}
	s := gangway.Search{ID: NewID(), By: by, CreatedAt: now, Members: []gangway.SearchMember{m}}
	if r.Vehicle != nil {
		s.Vessel, s.Flag = r.Vehicle.Name, r.Vehicle.Flag
	}
	return s
}

// SearchForCrewChange prepares a search for all members of a crew change:
// on-signers from home to the crew change, to be there on their date; off-signers
// from there to home. airport is used for members who do not name one.
func SearchForCrewChange(c gangway.CrewChange, airport gangway.Place, by string, now time.Time) gangway.Search {
	place, date := c.Where()
	airport = cmp.Or(airport, place)
	s := gangway.Search{
		ID: NewID(), By: by, CreatedAt: now, Vessel: c.Vessel, Flag: c.Flag, Change: c.Key(),
		ChangeID: c.TravelRequestID, Date: date, Airport: airport,
	}
	for _, m := range c.OnSigners {
		s.Members = append(s.Members, searchMember(c, m, gangway.OnSigner, airport))
	}
	for _, m := range c.OffSigners {
		s.Members = append(s.Members, searchMember(c, m, gangway.OffSigner, airport))
	}
	return s
}

func searchMember(c gangway.CrewChange, m gangway.CrewMember, side gangway.Side,
	airport gangway.Place) gangway.SearchMember {
	place, date := c.Wanted(m, side)
	if own := gangway.Place(m.Call(side).Airport); own != "" && own == place {
		airport = own
	}
	sm := gangway.SearchMember{Traveller: m.Traveller, Side: side, Rank: m.Metadata["rank"], Metadata: m.Metadata,
		CustomFields: m.CustomFields}
	home := gangway.Place(m.HomeAirport)
	leg, hour := gangway.Leg{Origin: home, Destination: airport, ArriveOn: date}, c.Rules.BoardBy
	if side == gangway.OffSigner {
		leg, hour = gangway.Leg{Origin: airport, Destination: home, Date: date}, c.Rules.LeaveFrom
	}
	if SamePlace(leg.Origin, leg.Destination) {
		sm.Warnings = append(sm.Warnings, fmt.Sprintf("lives at the crew change airport %s: no flight is needed",
			airport))
		return sm
	}
	sm.Legs = []gangway.Leg{leg}
	_, ship := c.Where()
	gangway.ByHour(sm.Legs, side, hour, ship)
	return sm
}

// SamePlace reports whether two codes mean the same place, under whatever code its
// airport has today.
func SamePlace(a, b gangway.Place) bool {
	now, _ := world.CurrentCode(string(a))
	other, _ := world.CurrentCode(string(b))
	return now == other && now != ""
}
