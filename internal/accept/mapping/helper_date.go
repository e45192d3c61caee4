package mapping

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"gangway/internal/gangway"
)

// months are the names of months by their beginnings: English, and those of other
// languages that mean no other month in any.
var months = func() map[string]int {
	m := map[string]int{}
	for i, names := range []string{
		"jan january januar januari janvier enero ene gennaio gen janeiro stycznia sty",
		"feb february februar februari fevrier fevr febrero febbraio fevereiro fev lutego",
		"mar march marz maerz maart mars marzo marco marca mrz",
		"apr april avril avr abril abr aprile kwietnia",
		"may mai mei mayo maggio mag maio maj maja",
		"jun june juni juin junio giugno giu junho czerwca",
		"jul july juli juillet juil julio luglio lug julho lipca",
		"aug august augustus aout agosto ago sierpnia",
		"sep sept september septembre septiembre settembre set setembro wrzesnia",
		"oct october oktober octobre octubre ottobre ott outubro out okt pazdziernika",
		"nov november novembre noviembre novembro listopada",
		"dec december dezember dez decembre diciembre dic dicembre desember des dezembro grudnia",
	} {
		for name := range strings.FieldsSeq(names) {
			m[name] = i + 1
		}
	}
	return m
}()

var (
	clockTime   = regexp.MustCompile(`(?i)^(.*?[0-9a-z])(?:T|,?\s+)[0-9]{1,2}:[0-9]{2}(:[0-9]{2}([.,][0-9]+)?)?\s*([ap]\.?m\.?)?\s*(Z|UTC|GMT|[+-][0-9]{2}:?[0-9]{2})?$`)
	epoch       = regexp.MustCompile(`^/Date\((-?[0-9]{1,15})([+-][0-9]{4})?\)/$`)
	excelSerial = regexp.MustCompile(`^[0-9]{4,6}([.,][0-9]+)?$`)
)

// The days that Excel's numbers may mean: from 1910 to 2099. Earlier ones are
// years, or nothing that a crew's papers say.
const (
	firstSerial = 3654
	lastSerial  = 73050
)

// dateOf reads a date whose parts are in an order: day, month and year. ISO dates
// and Excel's numbers are understood in any; what is no date is returned as it is.
func dateOf(text, order string, now time.Time) string {
	text = strings.TrimSpace(text)
	if gangway.Date(text).Valid() {
		return text
	}
	if len(text) > 60 {
		return text
	}
	if year, month, day, ok := dateParts(text, order, now); ok {
		if d := isoDate(year, month, day); d != "" {
			return d
		}
	}
	return text
}

// isoDate writes a date; empty: there is no such day.
func isoDate(year, month, day int) string {
	if year < 1 || year > 9999 || month < 1 || month > 12 || day < 1 || day > 31 {
		return ""
	}
	b := []byte("0000-00-00")
	for i, n := range []struct{ at, value int }{{0, year / 100}, {2, year % 100}, {5, month}, {8, day}} {
		_ = i
		b[n.at], b[n.at+1] = '0'+byte(n.value/10), '0'+byte(n.value%10)
	}
	if d := gangway.Date(b); !d.Valid() {
		return ""
	}
	return string(b)
}

func dateParts(text, order string, now time.Time) (year, month, day int, ok bool) {
	if found := epoch.FindStringSubmatch(text); found != nil {
		ms, err := strconv.ParseInt(found[1], 10, 64)
		t := time.UnixMilli(ms).UTC()
		return t.Year(), int(t.Month()), t.Day(), err == nil
	}
	if strings.IndexByte(text, ':') >= 0 {
		if found := clockTime.FindStringSubmatch(text); found != nil {
			text = strings.TrimSpace(found[1])
		}
	}
	parts, names := dateWords(text)
	switch {
	case parts == nil:
		return 0, 0, 0, false
	case len(parts) == 1 && names == 0:
		return undivided(parts[0], order)
	case len(parts) == 2 && names == 0 && excelSerial.MatchString(text):
		return undivided(parts[0], order)
	case len(parts) != 3:
		return 0, 0, 0, false
	case names > 0:
		return named(parts, now)
	case len(parts[0]) == 4:
		order = "YMD"
	case len(parts[2]) == 4 && order == "YMD":
		return 0, 0, 0, false
	}
	at := func(letter byte) int { n, _ := strconv.Atoi(parts[strings.IndexByte(order, letter)]); return n }
	years := parts[strings.IndexByte(order, 'Y')]
	for i, p := range parts {
		if len(p) > 2 && order[i] != 'Y' {
			return 0, 0, 0, false
		}
	}
	year, ok = fullYear(years, now)
	return year, at('M'), at('D'), ok
}

// dateWords cuts a text into numbers and names of months. nil: there is anything else.
func dateWords(text string) (parts []string, names int) {
	for i := 0; i < len(text); {
		c := text[i]
		if strings.IndexByte(" ./-,", c) >= 0 {
			i++
			continue
		}
		from := i
		digits := c >= '0' && c <= '9'
		for i < len(text) && strings.IndexByte(" ./-,", text[i]) < 0 && (text[i] >= '0' && text[i] <= '9') == digits {
			i++
		}
		word := text[from:i]
		if !digits {
			word = gangway.Fold(word)
			if word == "of" || word == "de" || word == "del" || len(parts) > 0 && isOrdinal(word) {
				continue
			}
			if months[word] == 0 {
				return nil, 0
			}
			names++
		} else if len(word) > 8 {
			return nil, 0
		}
		if parts = append(parts, word); len(parts) > 3 || names > 1 {
			return nil, 0
		}
	}
	return parts, names
}

func isOrdinal(word string) bool { return word == "st" || word == "nd" || word == "rd" || word == "th" }

// undivided reads a date of figures alone: eight, in the order or from the year
// on, or Excel's number of days.
func undivided(text, order string) (year, month, day int, ok bool) {
	n, _ := strconv.Atoi(text)
	if len(text) != 8 {
		if n < firstSerial || n > lastSerial || len(text) > 5 {
			return 0, 0, 0, false
		}
		t := time.Date(1899, 12, 30+n, 0, 0, 0, 0, time.UTC)
		return t.Year(), int(t.Month()), t.Day(), true
	}
	switch order {
	case "DMY":
		year, month, day = n%10000, n/10000%100, n/1000000
	case "MDY":
		year, month, day = n%10000, n/1000000, n/10000%100
	}
	if order == "YMD" || isoDate(year, month, day) == "" || year < 1900 || year > 2100 {
		year, month, day = n/10000, n/100%100, n%100
	}
	return year, month, day, true
}

// named reads a date whose month has a name.
func named(parts []string, now time.Time) (year, month, day int, ok bool) {
	var numbers []string
	for _, p := range parts {
		if n := months[p]; n > 0 {
			month = n
		} else {
			numbers = append(numbers, p)
		}
	}
	if len(numbers) != 2 {
		return 0, 0, 0, false
	}
	if len(numbers[0]) == 4 {
		numbers[0], numbers[1] = numbers[1], numbers[0]
	}
	if len(numbers[0]) > 2 {
		return 0, 0, 0, false
	}
	day, _ = strconv.Atoi(numbers[0])
	year, ok = fullYear(numbers[1], now)
	return year, month, day, ok
}

// fullYear reads a year. One of two figures is the nearest that is at most 20
// years ahead: passports expire in ten, and nobody in a crew is a hundred.
func fullYear(text string, now time.Time) (int, bool) {
	n, _ := strconv.Atoi(text)
	switch len(text) {
	case 4:
		return n, true
	case 2:
		century := now.Year() / 100 * 100
		year := century + 100 + n
		for year > now.Year()+20 {
			year -= 100
		}
		return year, true
	}
	return 0, false
}
