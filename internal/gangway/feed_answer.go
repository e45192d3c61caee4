package gangway

import "time"

// A FeedAnswer is what came of asking a customer's system, by one feed, while
// somebody waits.
type FeedAnswer struct {
	Feed  string
	Of    Ask       // what was asked; of several questions: the last
	At    time.Time // when it last answered the same question; zero: that is not known
	Last  time.Time // when it last answered anything, to within a minute or so; zero: never
	Error string    // why none has come, a sentence for the customer's admins; empty: it has

	Improper bool   // one has come, and is none
	Missing  []Date // the days that were not answered, of several where others were
}
