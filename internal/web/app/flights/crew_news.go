package flights

import (
	"strings"
	"time"

	"gangway/internal/book"
	"gangway/internal/gangway"
	"gangway/internal/web/app/shell"
)

// CrewNews says what last changed a crew change: "moved AMS 2 Dec → BRU 5 Dec by your crewing system, 02:13 UTC · 10
// removed, 5 new". Empty: nothing has. nameOf names the person who moved it by hand.
func CrewNews(c gangway.CrewChange, now time.Time, nameOf func(string) string) string {
	parts, by, at := []string(nil), "", time.Time{}
	switch {
	case c.MovedByHand():
		parts, by, at = []string{"moved " + MoveWords(c, c.Sent())}, nameOf(c.Moved.By), c.Moved.At
	case c.News != nil:
		by, at = "your crewing system", c.News.At
		if feed := c.News.Source.Feed(); feed != "" {
			by = "the feed “" + feed + "”"
		}
		if c.News.From != (gangway.PortCall{}) {
			parts = append(parts, "moved "+MoveWords(c, c.News.From))
		}
		var people []string
		for i, n := range []int{c.News.Removed, len(c.News.Came)} {
			if n > 0 {
				people = append(people, shell.Number(n)+[]string{" removed", " new"}[i])
			}
		}
		if people != nil {
			parts = append(parts, strings.Join(people, ", "))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	today := gangway.DateOf(at.UTC()) == gangway.DateOf(now.UTC())
	form := map[bool]string{true: "15:04 UTC", false: "2 Jan 15:04 UTC"}[today]
	parts[0] += " by " + by + ", " + at.UTC().Format(form)
	return strings.Join(parts, " · ")
}

// MoveWords says from where and when a crew change moved to where it is today: "AMS 2 Dec → BRU 5 Dec".
func MoveWords(c gangway.CrewChange, from gangway.PortCall) string {
	call := func(place gangway.Place, date gangway.Date) string {
		day := map[bool]string{true: " " + date.In(time.UTC).Format("2 Jan")}[date.Valid()]
		return strings.TrimSpace(strings.TrimPrefix(book.ShortPlace(place), "the port of ") + day)
	}
	return call(gangway.Place(from.Airport), from.Date) + " → " + call(c.Where())
}
