package gangway

import "time"

// An Attention says that a booking needs a person: something happened to it at
// its supplier that no rule of ours can settle, or that somebody has to know.
type Attention struct {
	Why       string    `json:"why"` // what happened, one sentence
	At        time.Time `json:"at"`
	ToldBy    int       `json:"told_by,omitempty"` // Seq of the first action that told the customer; 0: none has yet
	HandledBy string    `json:"handled_by,omitempty"`
	HandledAt time.Time `json:"handled_at,omitzero"`
}

// Open reports whether nobody has seen to it yet. A nil Attention is not open.
func (a *Attention) Open() bool { return a != nil && a.HandledAt.IsZero() }

// noteAttentionSent notes that the action just made is the first to tell the customer.
func (b *Booking) noteAttentionSent() {
	if b.Attention == nil || b.Attention.ToldBy != 0 {
		return
	}
	told := *b.Attention
	told.ToldBy = b.Version
	b.Attention = &told
}

// Raise asks for a person's attention for the reason why, a sentence; the booking's next action
// tells the customer. The same sentence is not raised twice in a row, so that a matter which a
// person has dealt with does not come back each time the order is looked at. Raise reports whether
// the matter is new.
func (b *Booking) Raise(why string, at time.Time) bool {
	if b.Attention != nil && b.Attention.Why == why {
		return false
	}
	b.Attention = &Attention{Why: why, At: at}
	return true
}

// Handle notes that a person has seen to what b needed one for. It fails with
// Conflict when b needs nobody.
func (b *Booking) Handle(by string, at time.Time) error {
	if !b.Attention.Open() {
		return Errorf(Conflict, "booking %s needs nobody to look at it", b.Locator)
	}
	seen := *b.Attention
	seen.HandledBy, seen.HandledAt = by, at
	b.Attention = &seen
	return nil
}

// UnhandledAttention returns the sentence by which the booking's last action tells the customer why
// a person is needed; empty when nobody is. Every action carries it until somebody has handled it,
// and at least one does.
func (b Booking) UnhandledAttention() string {
	if a := b.Attention; a != nil && (a.Open() || a.ToldBy == b.Version) {
		return a.Why
	}
	return ""
}
