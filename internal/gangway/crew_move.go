package gangway

import (
	"cmp"
	"time"
)

// A ShipMove is where and when a coordinator, or a hand-off, has moved a crew
// change since the customer sent it: ships change plans before crewing systems do.
type ShipMove struct {
	Place Place     `json:"place,omitempty"`
	Date  Date      `json:"date,omitempty"`
	Sent  PortCall  `json:"sent"` // where and when the customer had planned it at that time
	By    string    `json:"by"`
	At    time.Time `json:"at"`
}

// Sent returns where and when the customer plans c.
func (c CrewChange) Sent() PortCall { return PortCall{Airport: c.Airport(), Date: c.ChangeDate} }

// moved returns where and when c was moved to, as far as that still applies: a
// date until the customer sends another date, a place until it sends another place.
func (c CrewChange) moved() (place Place, date Date) {
	if c.Moved == nil {
		return "", ""
	}
	if c.Moved.Sent.Airport == c.Airport() {
		place = c.Moved.Place
	}
	if c.Moved.Sent.Date == c.ChangeDate && c.Moved.Date.Valid() {
		date = c.Moved.Date
	}
	return place, date
}

// Where returns where and when the ship is to be met, as known today: where a person last moved it,
// or else as the customer sent it. Either value is empty if nobody named it.
func (c CrewChange) Where() (Place, Date) {
	place, date := c.moved()
	place = cmp.Or(place, Place(c.Airport()))
	date = cmp.Or(date, c.ChangeDate)
	return place, date
}

// Wanted returns where and when a member of c is wanted, as known today. When the ship moves, a
// member with a date of their own stays the same number of days away from it.
func (c CrewChange) Wanted(m CrewMember, side Side) (Place, Date) {
	call := m.Call(side)
	place, date := c.Where()
	movedTo, movedOn := c.moved()
	if call.Airport != "" && movedTo == "" {
		place = Place(call.Airport)
	}
	own := cmp.Or(call.Date, m.ChangeDate)
	switch {
	case !own.Valid():
	case movedOn == "":
		date = own
	case c.ChangeDate.Valid():
		date = own.AddDays(c.ChangeDate.DaysTo(movedOn))
	}
	return place, date
}
