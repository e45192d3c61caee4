package gangway

import (
	"slices"
	"time"
)

// UploadNews is what the last upload that changed a crew change did to it.
type UploadNews struct {
	At      time.Time    `json:"at"`
	Source  Source       `json:"source"`
	From    PortCall     `json:"from,omitzero"` // where and when it was before; empty: it is still there
	Came    []NewMember  `json:"came,omitempty"`
	Removed int          `json:"removed,omitempty"`
	Was     []FormerCall `json:"was,omitempty"` // where and when it was before this upload and others, the latest last
}

// A NewMember is somebody whom an upload brought, by RecordKey.
type NewMember struct {
	Side Side   `json:"side"`
	Who  string `json:"who"`
}

// A FormerCall is where and when a crew change was planned until an upload.
type FormerCall struct {
	PortCall
	Run int64 `json:"run"` // the Generation of that upload's Origin
}

// mostFormer is how many former calls of a crew change are kept.
const mostFormer = 20

// Came reports whether somebody came into c with its last upload.
func (c CrewChange) Came(t Traveller, side Side) bool {
	return c.News != nil && slices.Contains(c.News.Came, NewMember{side, t.RecordKey()})
}

// NewsAfter returns the news of c, which an upload puts in the place of old: those of old where the upload changed
// neither the place, nor the date, nor the people.
func (c CrewChange) NewsAfter(old CrewChange, run Origin) *UploadNews {
	n := UploadNews{At: run.SeenAt, Source: run.Source}
	if old.News != nil {
		n.Was = old.News.Was
	}
	was, on := old.Where()
	if from := (PortCall{Airport(was), on}); c.left(from) {
		n.From = from
		n.Was = append(slices.Clone(n.Was), FormerCall{from, run.Generation})
		n.Was = n.Was[max(0, len(n.Was)-mostFormer):]
	}
	for _, m := range old.lacks(c) {
		n.Came = append(n.Came, NewMember{m.Side, m.RecordKey()})
	}
	n.Removed = len(c.lacks(old))
	if n.From == (PortCall{}) && len(n.Came) == 0 && n.Removed == 0 {
		return old.News
	}
	return &n
}

// lacks returns the members of other, up to maxDropped, who are not in c on the same side.
func (c CrewChange) lacks(other CrewChange) []DroppedMember {
	other.Dropped = nil
	return c.Replace(other, time.Time{}).Dropped
}

// left reports whether c was at a port call and is not any more. A place or date that nobody had named was none.
func (c CrewChange) left(was PortCall) bool {
	place, date := c.Where()
	return was.Airport != "" && place != "" && Place(was.Airport) != place || was.Date.Valid() && was.Date != date
}

// MovedByHand reports whether c is where a person moved it, and no upload changed it since.
func (c CrewChange) MovedByHand() bool {
	return c.Moved != nil && c.left(c.Sent()) && (c.News == nil || !c.News.At.After(c.Moved.At))
}

// FormerDates returns the dates that c had and has no longer, the latest last. The customer's own date is one if a
// person moved the ship.
func (c CrewChange) FormerDates() (dates []Date) {
	_, now := c.Where()
	for _, m := range c.Moves {
		if !m.Undone {
			dates = append(dates, m.From)
		}
	}
	if c.News != nil {
		for _, was := range c.News.Was {
			dates = append(dates, was.Date)
		}
	}
	return slices.DeleteFunc(append(dates, c.ChangeDate), func(d Date) bool { return d == now || !d.Valid() })
}

// nearStay is how many days a hotel may be away from the day of a crew change that it is for.
const nearStay = 7

// UpsetBy returns by which crew change the hotel of r, which came with from, may be wrong, and where and when that was:
// it has moved since. Was is empty if the traveller was removed from it and is in no other.
func (r TravelRequest) UpsetBy(list []CrewChange, from Origin) (by CrewChange, was PortCall, is bool) {
	wanted := false
	for _, c := range list {
		was := c.callBefore(from)
		if _, date := c.Where(); !r.staysNear(date) && !r.staysNear(was.Date) {
			continue
		}
		plans := c.List("")
		switch on, off := plans.Plan(r.Traveller, OnSigner), plans.Plan(r.Traveller, OffSigner); {
		case on.Unneeded == "" || off.Unneeded == "":
			if wanted = true; was != (PortCall{}) {
				return c, was, true
			}
		case on.Unneeded == LeftOut || off.Unneeded == LeftOut:
			by, is = c, true
		}
	}
	return by, PortCall{}, is && !wanted
}

// callBefore returns where and when c was planned when a record last changed that came with from; empty if that is
// where it still is.
func (c CrewChange) callBefore(from Origin) (was PortCall) {
	if c.Moved != nil && from.SeenAt.Before(c.Moved.At) {
		was = c.Sent()
	}
	if c.News != nil {
		if i := slices.IndexFunc(c.News.Was, func(f FormerCall) bool { return f.Run > from.Generation }); i >= 0 {
			was = c.News.Was[i].PortCall
		}
	}
	if !c.left(was) {
		return PortCall{}
	}
	return was
}

// staysNear reports whether the hotel of r may be for a day; one without dates may be for any.
func (r TravelRequest) staysNear(day Date) bool {
	if r.Hotel == nil || !day.Valid() {
		return false
	}
	from, to := r.Hotel.CheckIn, max(r.Hotel.CheckIn, r.Hotel.CheckOut)
	return from == "" || from.AddDays(-nearStay) <= day && day <= to.AddDays(nearStay)
}
