package sim

import (
	"time"

	"pgregory.net/rapid"

	"gangway/internal/book/flight"
)

// DrawAsk draws a search for one leg, as made at an instant.
func DrawAsk(rt *rapid.T, now time.Time) flight.Ask { return drawAsk(rt, now) }
