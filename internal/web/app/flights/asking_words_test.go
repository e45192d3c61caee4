package flights

import (
	"testing"
	"time"

	"gangway/internal/gangway"
)

func TestSystemsThatDoNotAnswerAreNamedInOneLine(t *testing.T) {
	now := time.Date(2036, 11, 20, 15, 0, 0, 0, time.UTC)
	at := now.Add(-58 * time.Minute)
	yesterday := at.AddDate(0, 0, -1)
	const end = " is shown. Type by hand if somebody is missing."
	for _, tt := range []struct {
		name    string
		answers []gangway.FeedAnswer
		want    string
	}{
		{"all answer", []gangway.FeedAnswer{{Feed: "a", At: now}, {Feed: "b", At: now}}, ""},
		{"the only one", []gangway.FeedAnswer{{Feed: "a", At: at, Error: "no"}},
			"HANDLER’s crew system does not answer; what it said at 14:02 UTC" + end},
		{"since yesterday", []gangway.FeedAnswer{{Feed: "a", At: yesterday, Error: "no"}},
			"HANDLER’s crew system does not answer; what it said on 19 Nov at 14:02 UTC" + end},
		{"never asked before", []gangway.FeedAnswer{{Feed: "a", Error: "no"}},
			"HANDLER’s crew system does not answer; what was received before" + end},
		{"asked something else before", []gangway.FeedAnswer{{Feed: "a", Last: yesterday, Error: "no"}},
			"HANDLER’s crew system does not answer; it last did on 19 Nov at 14:02 UTC, and what was received before" +
				end},
		{"errors for answers", []gangway.FeedAnswer{{Feed: "a", At: at, Error: "no", Silence: gangway.Improper}},
			"HANDLER’s crew system does not answer properly; what it said at 14:02 UTC" + end},
		{"its mapping burns", []gangway.FeedAnswer{{Feed: "a", At: at, Error: "no", Silence: gangway.Unmapped}},
			"HANDLER’s crew system answers, but the mapping takes too long for its answers; what it said at " +
				"14:02 UTC" + end},
		{"no room of ours", []gangway.FeedAnswer{{Feed: "a", At: at, Error: "no", Silence: gangway.Unasked}},
			"HANDLER’s crew system could not be asked just now; what it said at 14:02 UTC" + end},
		{"several reasons", []gangway.FeedAnswer{
			{Feed: "a", At: at, Error: "no", Silence: gangway.Unasked},
			{Feed: "b", At: at, Error: "no", Silence: gangway.Unmapped},
		},
			"HANDLER’s crew system does not answer; what it said at 14:02 UTC" + end},
		{"some days", []gangway.FeedAnswer{
			{Feed: "a", Error: "no", Missing: []gangway.Date{"2036-12-05", "2036-12-06"}},
		},
			"HANDLER’s crew system does not answer about Fri 5 Dec 2036, Sat 6 Dec 2036 so far. " +
				"Look again in a moment."},
		{"one of two that was heard later", []gangway.FeedAnswer{
			{Feed: "a", At: yesterday}, {Feed: "b", At: at, Error: "no"},
		},
			"HANDLER’s crew system (“b”) does not answer; what it said at 14:02 UTC" + end},
		{"one of two", []gangway.FeedAnswer{{Feed: "a", At: now}, {Feed: "b", At: at, Error: "no"}},
			"HANDLER’s crew system (“b”) does not answer; what it said at 14:02 UTC" + end},
		{"the oldest counts", []gangway.FeedAnswer{
			{Feed: "a", At: at, Error: "no"}, {Feed: "b", At: yesterday, Error: "no"},
		},
			"HANDLER’s crew system does not answer; what it said on 19 Nov at 14:02 UTC" + end},
	} {
		a := Asking{System: "HANDLER’s crew system"}
		if a.tell(tt.answers, now); a.Line != tt.want {
			t.Errorf("%s: the line is %q; want %q", tt.name, a.Line, tt.want)
		}
	}
}
