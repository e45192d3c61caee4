package gangway

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Near says which year a date has that is typed without one.
type Near string

const (
	Next    Near = "next"    // the next such day, today included: for plans
	Nearest Near = "nearest" // the nearest, past or future: for filters
	Dated   Near = "dated"   // none: the year must be typed, as of a birthday
)

var (
	dayFirst = regexp.MustCompile(`^(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*[., ]+)?(\d{1,2})` +
		`(?:[. ]+(\d{1,2})|[. ]*([a-z]{3,9}))(?:[., ]+(\d{4}|\d{2}))?[. ]*$`)
	slashed   = regexp.MustCompile(`^(\d{1,2})[/-](\d{1,2})(?:[/-](\d{4}|\d{2}))?$`)
	lastClock = regexp.MustCompile(`^(.*?)(?:T| +)(\d{1,2})[:.](\d\d)(?::(\d\d))?$`)
	justClock = regexp.MustCompile(`^(\d{1,2})(?:[:.]?(\d\d))?$`)
)

// ReadDate reads a date as people type it, day first: "28 nov", "28.11.", "Sat 28 Nov 2026", or
// 2026-11-28. Nothing typed is no date. A date with slashes is refused, because half of the readers
// would take the month for the day; the error, Invalid, has each way it can be read.
func ReadDate(typed string, today Date, near Near) (Date, error) {
	text := strings.ToLower(strings.Join(strings.Fields(typed), " "))
	if d := Date(text); text == "" || d.Valid() {
		return d, nil
	}
	if ways := SlashedDates(typed, today, near); ways != nil {
		return "", slashedError(text, ways)
	}
	m := dayFirst.FindStringSubmatch(text)
	if m == nil && near == Dated {
		return "", Errorf(Invalid, "write a day such as 12 mar 1985")
	}
	if m == nil {
		return "", Errorf(Invalid, "write a day such as 28 nov or 2026-11-28")
	}
	month, _ := strconv.Atoi(m[2])
	if m[3] != "" {
		month = monthNamed(m[3])
	}
	day, _ := strconv.Atoi(m[1])
	if month < 1 || month > 12 {
		return "", Errorf(Invalid, "there is no such month: write a day such as 28 nov or 2026-11-28")
	}
	if near == Dated && len(m[4]) < 4 {
		return "", Errorf(Invalid, "write the year in full, as in 12 mar 1985")
	}
	d := dated(day, month, m[4], today, near)
	if d == "" {
		return "", Errorf(Invalid, "there is no %d %s%s", day, time.Month(month), strings.TrimRight(" "+m[4], " "))
	}
	return d, nil
}

// monthNamed returns the month whose English name begins with word; 0: none.
func monthNamed(word string) int {
	for m := time.January; m <= time.December; m++ {
		if strings.HasPrefix(strings.ToLower(m.String()), word) || word == "sept" && m == time.September {
			return int(m)
		}
	}
	return 0
}

// dated returns a day of a month in a year as typed, which may be empty or have two digits. It is
// empty where there is no such day.
func dated(day, month int, year string, today Date, near Near) Date {
	at := func(y int) Date {
		if y < 1 || day < 1 || day > daysIn(y, month) {
			return ""
		}
		return DateOf(time.Date(y, time.Month(month), day, 0, 0, 0, 0, time.UTC))
	}
	if y, err := strconv.Atoi(year); err == nil {
		if len(year) == 2 {
			y += 2000
		}
		return at(y)
	}
	var found []Date
	this := today.In(time.UTC).Year()
	for y := this - 8; y <= this+8; y++ { // 29 February is in one year of eight at least
		if d := at(y); d != "" && (near == Nearest || d >= today) {
			found = append(found, d)
		}
	}
	if len(found) == 0 {
		return ""
	}
	away := func(d Date) int { n := today.DaysTo(d); return max(n, -n) }
	return slices.MinFunc(found, func(a, b Date) int {
		return cmp.Or(cmp.Compare(away(a), away(b)), strings.Compare(string(b), string(a)))
	})
}

// SlashedDates returns the dates that a text of numbers between slashes or hyphens can mean: the
// day first, then the month first. It returns nil where the text is no such text.
func SlashedDates(typed string, today Date, near Near) []Date {
	m := slashed.FindStringSubmatch(strings.TrimSpace(typed))
	if m == nil {
		return nil
	}
	one, _ := strconv.Atoi(m[1])
	two, _ := strconv.Atoi(m[2])
	ways := []Date{}
	for _, w := range [][2]int{{one, two}, {two, one}} {
		if w[1] < 1 || w[1] > 12 || near == Dated && len(m[3]) < 4 {
			continue
		}
		if d := dated(w[0], w[1], m[3], today, near); d != "" && !slices.Contains(ways, d) {
			ways = append(ways, d)
		}
	}
	return ways
}

func slashedError(text string, ways []Date) error {
	words := Each(ways, func(d Date) string { return d.In(time.UTC).Format("2 Jan 2006") })
	switch len(ways) {
	case 0:
		return Errorf(Invalid, "%s is not read as a date: write a day such as 28 nov or 2026-11-28", text)
	case 1:
		return Errorf(Invalid, "%s is read month first by some: write %s or %s", text, words[0], ways[0])
	}
	return Errorf(Invalid, "%s could be %s or %s: write the one you mean", text, words[0], words[1])
}

// ReadClock reads a time of day as people type it: 18, 18:00, 18.00 or 1800. It returns it as HH:MM.
func ReadClock(typed string) (string, bool) {
	m := justClock.FindStringSubmatch(strings.TrimSpace(typed))
	if m == nil {
		return "", false
	}
	text := clockText(m[1], m[2])
	_, ok := MinuteOfDay(text)
	return text, ok
}

func clockText(hour, minute string) string {
	return ("0" + hour)[len(hour)-1:] + ":" + cmp.Or(minute, "00")
}

// ReadMoment reads a date followed by a time of day, "28 nov 08:45", by the clock of loc.
func ReadMoment(typed string, today Date, near Near, loc *time.Location) (time.Time, error) {
	m := lastClock.FindStringSubmatch(strings.TrimSpace(typed))
	if m == nil {
		return time.Time{}, Errorf(Invalid, "write a day and a time, as in 28 nov 08:45")
	}
	d, err := ReadDate(m[1], today, near)
	if err != nil {
		return time.Time{}, err
	}
	at, err := time.ParseInLocation("2006-01-02 15:04:05", string(d)+" "+clockText(m[2], m[3])+":"+cmp.Or(m[4], "00"),
		loc)
	if err != nil {
		return time.Time{}, Errorf(Invalid, "write a day and a time, as in 28 nov 08:45")
	}
	return at, nil
}
