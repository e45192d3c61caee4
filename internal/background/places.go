package background

// Places are Slots.
type Places = Slots

// NewPlaces is NewSlots.
func NewPlaces(all, each int64) *Slots { return NewSlots(all, each) }
