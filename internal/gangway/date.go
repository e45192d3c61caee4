package gangway

import "time"

// A Date is a calendar date as the wire writes it, YYYY-MM-DD. Dates compare
// as strings. The empty Date means that none was given.
type Date string

// DateOf returns the calendar date of t in t's own location.
func DateOf(t time.Time) Date { return Date(t.Format(time.DateOnly)) }

// Valid reports whether d is a real calendar date in the wire's form.
func (d Date) Valid() bool {
	if len(d) != 10 || d[4] != '-' || d[7] != '-' {
		return false
	}
	year, month, day := digits(d[:4]), digits(d[5:7]), digits(d[8:])
	return year > 0 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month)
}

func digits(s Date) int {
	n := 0
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return -1 << 16
		}
		n = n*10 + int(s[i]-'0')
	}
	return n
}

func daysIn(year, month int) int {
	switch month {
	case 4, 6, 9, 11:
		return 30
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	}
	return 31
}

// In returns the instant at which d begins in loc: midnight, or where clocks skip
// midnight that night (Havana, Beirut, Santiago), the moment after the gap. The
// zero time when d is no date.
func (d Date) In(loc *time.Location) time.Time {
	t, err := time.ParseInLocation(time.DateOnly, string(d), loc)
	if err != nil {
		return time.Time{}
	}
	if DateOf(t) < d { // the offset from before the gap was taken
		_, t = t.ZoneBounds()
	}
	return t
}

// AddDays returns the date n days after d.
func (d Date) AddDays(n int) Date { return DateOf(d.In(time.UTC).AddDate(0, 0, n)) }

// DaysTo returns how many days after d the date to is.
func (d Date) DaysTo(to Date) int {
	return int(to.In(time.UTC).Sub(d.In(time.UTC)).Hours() / 24)
}

// AddMonths returns the same day n months later, or the last of a month that is shorter.
func (d Date) AddMonths(n int) Date {
	year, month, day := d.In(time.UTC).Date()
	first := time.Date(year, month+time.Month(n), 1, 0, 0, 0, 0, time.UTC)
	return DateOf(first).AddDays(min(day, daysIn(first.Year(), int(first.Month()))) - 1)
}
