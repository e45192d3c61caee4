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

	Silence Silence // what the system does instead; empty: Silent
	Missing []Date  // the days that were not answered, of several where others were
}

// A Silence is what a customer's system does instead of answering, in the words of pages.
type Silence string

const (
	Silent   Silence = "does not answer"
	Improper Silence = "does not answer properly"
	Unmapped Silence = "answers, but the mapping takes too long for its answers"
	Unasked  Silence = "could not be asked just now" // we had no room for its answer, or no worker that maps it
)
