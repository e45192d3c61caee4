package gangway

import "time"

// An Action is what happened to a booking: the state that it entered, when,
// and by whom. The action log is the spine: push, pull, history and report
// all read it.
//
// Spec: Booking record, actions.
type Action struct {
	Seq  int       `json:"seq"` // 1 for the booking's first action, without gaps
	Name State     `json:"action"`
	At   time.Time `json:"at"`
	By   string    `json:"by"`             // a user's e-mail, or System
	Note string    `json:"note,omitempty"` // why, in words, for our own history page
}
