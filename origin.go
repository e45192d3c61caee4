package gangway

import (
	"strings"
	"time"
)

// A Source is where a record comes from.
type Source string

// Uploaded is the source of what the customer's system sends by itself. It wins
// over what that system is asked for.
const Uploaded Source = "upload"

// fed is how the sources begin that are asked for their records.
const fed = "feed:"

// FeedSource is the source of the records that a feed brings, by its name: of
// letters, figures, hyphens and underscores.
func FeedSource(name string) Source { return Source(fed + name) }

// Feed returns the name of the feed that s is; empty where it is none.
func (s Source) Feed() string {
	name, is := strings.CutPrefix(string(s), fed)
	if !is {
		return ""
	}
	return name
}

// An Origin is where records come from, by which of the source's runs, and when.
//
// Decided: docs/choices.md, "Where records come from".
type Origin struct {
	Source     Source
	Generation int64     // it grows from run to run; of a record: of the run that last changed it
	SeenAt     time.Time // of a record: when it was last sent or fetched, within a day; zero where that is not known
}
