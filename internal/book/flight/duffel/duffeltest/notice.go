package duffeltest

import (
	"slices"
	"time"
)

// An airlineChange is a change that the airline makes by itself.
type airlineChange struct {
	ID          string         `json:"id"`
	Order       string         `json:"order_id"`
	CreatedAt   *instant       `json:"created_at"`
	UpdatedAt   *instant       `json:"updated_at"`
	Added       []slice        `json:"added"`
	Removed     []slice        `json:"removed"`
	Actions     []string       `json:"available_actions"`
	Taken       *string        `json:"action_taken"`
	TakenAt     *instant       `json:"action_taken_at"`
	AgentTicket map[string]any `json:"travel_agent_ticket"`
}

// Disrupt makes the airline move an order's first direction by some time. It notifies webhooks,
// and waits for an answer.
func (d *Duffel) Disrupt(id string, by time.Duration) string {
	d.mu.Lock()
	now := d.now().UTC()
	o, err := d.order(id)
	if err != nil {
		d.mu.Unlock()
		return ""
	}
	was := o.Slices[0]
	is := was
	is.ID, is.Segments = d.id("sli"), slices.Clone(was.Segments)
	for i := range is.Segments {
		s := &is.Segments[i]
		s.ID, s.departure, s.arrival = d.id("seg"), s.departure.Add(by), s.arrival.Add(by)
		s.DepartingAt, s.ArrivingAt = s.departure.Format(clock), s.arrival.Format(clock)
	}
	n := &airlineChange{ID: d.id("aic"), Order: id, CreatedAt: at(now), UpdatedAt: at(now), Added: []slice{is},
		Removed: []slice{was}, Actions: []string{"accept", "cancel"}}
	d.notices = append([]*airlineChange{n}, d.notices...)
	o.Notices = append(slices.Clone(o.Notices), n)
	d.emit("order.airline_initiated_change_detected", n.ID, map[string]any{"order_id": id, "id": n.ID})
	due := d.due
	d.due = nil
	d.mu.Unlock()
	d.deliver(due)
	return n.ID
}

// unsettled reports whether the airline waits for an answer.
func (o *order) unsettled() bool {
	return slices.ContainsFunc(o.Notices, func(n *airlineChange) bool { return n.Taken == nil })
}

func (d *Duffel) notice(id string) (*airlineChange, error) {
	for _, n := range d.notices {
		if n.ID == id {
			return n, nil
		}
	}
	return nil, errNotFound
}

// acceptNotice accepts the airline's change.
func (d *Duffel) acceptNotice(c *call) (any, error) {
	n, err := d.notice(c.r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	if n.Taken != nil || !slices.Contains(n.Actions, "accept") {
		return nil, state("airline_initiated_change_not_acceptable", "the change was answered, or cannot be accepted")
	}
	o, err := d.order(n.Order)
	if err != nil {
		return nil, err
	}
	for i, s := range o.Slices {
		if s.ID == n.Removed[0].ID {
			o.Slices[i] = n.Added[0]
		}
	}
	accepted := "accepted"
	n.Taken, n.TakenAt, n.UpdatedAt, n.Actions = &accepted, at(c.now), at(c.now), []string{}
	return n, nil
}
