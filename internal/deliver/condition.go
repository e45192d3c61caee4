package deliver

import (
	"context"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/transport"
)

// Condition reads how an outlet is doing.
func Condition(ctx context.Context, in store.Scoped, o gangway.Outlet, now time.Time) (gangway.Condition, error) {
	known, err := in.OutletFacts(ctx, o, now)
	if err != nil {
		return gangway.Condition{}, err
	}
	f := known.OutletFacts
	if !known.Last.At.IsZero() {
		f.Last = FailureOf(known.Last, o)
	}
	for _, t := range known.Refused {
		refused := FailureOf(t.Attempt, o)
		refused.Booking, refused.Locator, refused.Action = t.Booking, t.Locator, t.Seq
		refused.Parked = t.State == "parked"
		f.Refused = append(f.Refused, refused)
	}
	return gangway.ConditionOf(o, f, now), nil
}

// FailureOf says what came of a try that failed, and how that is mended: by allowing its network, or by another
// mapping.
func FailureOf(a store.Attempt, o gangway.Outlet) gangway.OutletFailure {
	f := gangway.OutletFailure{At: a.At, Status: a.Status, Answer: a.Answer, Why: FailureWords(a, o),
		Unmade: a.Unsent()}
	switch how := transport.HowToAllow(a.Answer); {
	case ofMapping(a, o):
		f.Mend = "Correct its mapping: Settings › Outlets › " + o.Name + " › Change."
	case a.Status == 0 && how != "":
		f.Mend = how + " What waits is sent within a minute after that."
	}
	return f
}
