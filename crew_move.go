package gangway

import "time"

// A ShipMove is where and when a coordinator, or a hand-off, has put a crew
// change since the customer sent it: ships move faster than crewing systems learn.
type ShipMove struct {
	Place Place     `json:"place,omitempty"`
	Date  Date      `json:"date,omitempty"`
	Sent  PortCall  `json:"sent"` // where and when the customer had it then
	By    string    `json:"by"`
	At    time.Time `json:"at"`
}

// Sent returns where and when the customer has c.
func (c CrewChange) Sent() PortCall { return PortCall{Airport: c.Airport(), Date: c.ChangeDate} }

// moved returns where and when c was put, as far as that still counts: a day
// until the customer sends another day, a place until it sends another place.
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

// Where returns where and when the ship is to be met, as known today: where it was last moved to by
// hand, or else as the customer sent it. Either value is empty if nobody named it.
func (c CrewChange) Where() (Place, Date) {
	place, date := c.moved()
	if place == "" {
		place = Place(c.Airport())
	}
	if date == "" {
		date = c.ChangeDate
	}
	return place, date
}

// Wanted returns where and when a member of c is wanted, as known today. A member with a day of
// their own stays as many days from the day of the change when the ship moves.
func (c CrewChange) Wanted(m CrewMember, side Side) (Place, Date) {
	call := m.Call(side)
	place, date := c.Where()
	movedTo, movedOn := c.moved()
	if call.Airport != "" && movedTo == "" {
		place = Place(call.Airport)
	}
	own := call.Date
	if own == "" {
		own = m.ChangeDate
	}
	switch {
	case !own.Valid():
	case movedOn == "":
		date = own
	case c.ChangeDate.Valid():
		date = own.AddDays(c.ChangeDate.DaysTo(movedOn))
	}
	return place, date
}
