package book

import (
	"cmp"
	"context"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
)

// A CrewBooked is a crew change as its travellers and the ship's agent read of it: who is needed, and on which flights
// they come and go.
type CrewBooked struct {
	Key      string
	Vessel   string
	Flag     gangway.Country
	Place    gangway.Place
	Date     gangway.Date
	List     []BookedMember
	Missing  []gangway.SearchMember // who is planned and not booked
	Unneeded int                    // live bookings of people who are no longer needed
	Cut      bool                   // there are more bookings than were read
	Lands    time.Time              // the last flight; of people who are no longer needed where nobody else is booked
}

// A BookedMember is a live booking that somebody needs.
type BookedMember struct {
	gangway.Booking
	Misfit string // how it does not fit today's plan
}

// mostCrewBooked is how many bookings of a crew change are read.
const mostCrewBooked = 1000

// CrewBookedOf returns the crew change with a key, as it is planned and booked now. NotFound: there is neither a crew
// change nor a booking for it.
func CrewBookedOf(ctx context.Context, in store.Scoped, key string) (CrewBooked, error) {
	c, err := in.CrewChange(ctx, key)
	planned := err == nil
	if err != nil && gangway.KindOf(err) != gangway.NotFound || key == "" {
		return CrewBooked{}, cmp.Or(err, gangway.Errorf(gangway.NotFound, "there is no such crew change"))
	}
	list, more, found := in.Bookings(ctx, store.BookingQuery{Change: key, Live: true, Limit: mostCrewBooked})
	switch {
	case found != nil:
		return CrewBooked{}, found
	case !planned && len(list) == 0:
		return CrewBooked{}, err
	}
	plans, err := PlansOf(ctx, in, list)
	if err != nil {
		return CrewBooked{}, err
	}
	crew := CrewBooked{Key: key, Vessel: c.Vessel, Flag: c.Flag, Cut: more}
	crew.Place, crew.Date = c.Where()
	var others time.Time
	for _, b := range list {
		lands := &others
		switch why := b.Purpose; {
		case !b.ErasedAt.IsZero(): // nobody
		case plans.Of(b).Unneeded != "":
			crew.Unneeded++
		default:
			lands = &crew.Lands
			crew.List = append(crew.List, BookedMember{b, plans.Misfit(b)})
			crew.Vessel, crew.Flag = cmp.Or(crew.Vessel, why.Vessel), cmp.Or(crew.Flag, why.Flag)
			crew.Place = cmp.Or(crew.Place, why.Port, gangway.Place(why.Airport))
			crew.Date = cmp.Or(crew.Date, why.Date)
		}
		if at := b.Itinerary.Arrival(); at.After(*lands) {
			*lands = at
		}
	}
	crew.Lands = cmp.Or(crew.Lands, others)
	crew.miss(c)
	return crew, nil
}

// LinkLife is how long after its last flight has landed an itinerary is open to those who have a link.
const LinkLife = 48 * time.Hour

// endLinks ends the links to the itinerary of a crew change whose last flight has landed that long ago, before somebody
// else is booked, perhaps for another crew change of the same key: a link that has ended opens nothing again.
func (d *Desk) endLinks(ctx context.Context, in store.Scoped, change string) error {
	links, err := in.Links(ctx, "", change)
	if err != nil || change == "" || len(links) == 0 {
		return err
	}
	crew, err := CrewBookedOf(ctx, in, change)
	switch {
	case err != nil && gangway.KindOf(err) != gangway.NotFound:
		return err
	case crew.Lands.IsZero() || d.now(in).Before(crew.Lands.Add(LinkLife)):
		return nil
	}
	return in.EndLinks(ctx, "", change)
}

// miss notes who is planned and not booked.
func (crew *CrewBooked) miss(c gangway.CrewChange) {
	var all gangway.Search
	for i, list := range [][]gangway.CrewMember{c.OnSigners, c.OffSigners} {
		for _, m := range list {
			all.Members = append(all.Members, gangway.SearchMember{Traveller: m.Traveller,
				Side: []gangway.Side{gangway.OnSigner, gangway.OffSigner}[i], Rank: m.Metadata["rank"]})
		}
	}
	find, booked := all.Finder(), map[int]bool{}
	for _, b := range crew.List {
		if i, there := find(b.Passenger, b.Purpose.Side); there {
			booked[i] = true
		}
	}
	for i, m := range all.Members {
		if !booked[i] && !m.Traveller.Erased() {
			crew.Missing = append(crew.Missing, m)
		}
	}
}

// RankOf returns the rank that a booking was made for, if the customer's system said it.
func RankOf(b gangway.Booking) string {
	return cmp.Or(b.Purpose.Metadata["rank"], b.Purpose.CustomFields["rank"])
}
