package decode

import (
	"bytes"
	"encoding/xml"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// A cellStyle says what a number in a cell is.
type cellStyle struct{ date, time bool }

// A dateSystem is the day from which a workbook counts days.
type dateSystem int

const (
	from1900 dateSystem = iota
	from1904            // of old Macintosh programs
)

// builtinStyle returns the style of a number format that workbooks do not spell out. Those from 27 to 36
// and from 50 to 58 are dates and times in Chinese, Japanese and Korean.
func builtinStyle(number int) cellStyle {
	switch {
	case number >= 14 && number <= 17, number >= 27 && number <= 31, number == 36, number >= 50 && number <= 58:
		return cellStyle{date: true}
	case number >= 18 && number <= 21, number >= 32 && number <= 35, number >= 45 && number <= 47:
		return cellStyle{time: true}
	case number == 22:
		return cellStyle{date: true, time: true}
	}
	return cellStyle{}
}

// notFormat matches the parts of a number format that are literal text, a colour or a language. elapsed
// matches [h], [mm] and [ss], which count hours, minutes and seconds.
var notFormat = regexp.MustCompile(`"[^"]*"|\\.|_.|\*.|\[[^\]]*\]`)

var elapsed = regexp.MustCompile(`(?i)\[(h+|m+|s+)\]`)

// spelledStyle reads a number format.
func spelledStyle(format string) cellStyle {
	if strings.EqualFold(format, "general") || strings.EqualFold(format, "standard") {
		return cellStyle{}
	}
	duration := elapsed.MatchString(format)
	format = strings.ToLower(notFormat.ReplaceAllString(format, ""))
	format, _, _ = strings.Cut(format, ";")
	s := cellStyle{date: strings.ContainsAny(format, "yd"), time: duration || strings.ContainsAny(format, "hs")}
	if !s.date && !s.time {
		s.date = strings.Contains(format, "m")
	}
	return s
}

// readStyles reads which cells are dates.
func (w *workbook) readStyles() error {
	spelled := map[string]cellStyle{}
	return w.read("xl/styles.xml", func(t *xmlTokens, start xml.StartElement) error {
		switch start.Name.Local {
		case "numFmt":
			spelled[attribute(start, "numFmtId")] = spelledStyle(attribute(start, "formatCode"))
		case "xf":
			if n := len(t.open); n < 2 || t.open[n-2].Local != "cellXfs" {
				return nil
			}
			number := attribute(start, "numFmtId")
			style, known := spelled[number]
			if n, err := strconv.Atoi(number); !known && err == nil {
				style = builtinStyle(n)
			}
			w.styles = append(w.styles, style)
		}
		return tooMany(max(len(w.styles), len(spelled)))
	})
}

// cellText returns the text of a cell of that kind and style.
func (w *workbook) cellText(value, kind, style string) string {
	switch kind {
	case "b":
		if value == "1" {
			return "true"
		}
		return "false"
	case "", "n":
		if value == "" {
			return ""
		}
		if n, err := strconv.Atoi(style); err == nil && n >= 0 && n < len(w.styles) && w.styles[n] != (cellStyle{}) {
			if text := w.date.text(value, w.styles[n]); text != "" {
				return text
			}
		}
		return numberText(value)
	case "d":
		return strings.TrimSuffix(value, "T00:00:00")
	}
	return value
}

// numberText returns a number with at most the 15 figures that Excel shows: those after them are noise.
func numberText(value string) string {
	if len(strings.Trim(value, "0123456789")) == 0 {
		return value
	}
	f, err := strconv.ParseFloat(value, 64)
	if err != nil || f > 1e21 || f < -1e21 {
		return value
	}
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(f, 'e', 14, 64), 64)
	if err != nil {
		return value
	}
	return strconv.FormatFloat(rounded, 'f', -1, 64)
}

// lastDay is 31 December 9999, the last day that Excel knows.
const lastDay = 2958465

// text returns a number of days as a date, a time or both; "" if it is none.
func (d dateSystem) text(value string, style cellStyle) string {
	days, err := strconv.ParseFloat(value, 64)
	if err != nil || !(days >= 0 && days < lastDay+1) { // NaN is neither
		return ""
	}
	seconds := int64(days*24*60*60 + 0.5)
	day, second := seconds/(24*60*60), seconds%(24*60*60)
	clock := time.Unix(second, 0).UTC().Format("15:04:05")
	if !style.date && day == 0 {
		return clock
	}
	first := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	switch {
	case d == from1904:
		first = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	case day < 61: // before 29 February 1900, which Excel counts though there was none
		first = first.AddDate(0, 0, 1)
	}
	date := first.AddDate(0, 0, int(day)).Format("2006-01-02")
	if second == 0 {
		return date
	}
	return date + "T" + clock
}

var escapedLetter = regexp.MustCompile(`_x[0-9A-Fa-f]{4}_`)

// unescaped replaces the escapes, from begin on, of characters that XML cannot contain: _x000D_ is a
// carriage return.
func unescaped(text []byte, begin int) []byte {
	if !bytes.Contains(text[begin:], []byte("_x")) {
		return text
	}
	clear := escapedLetter.ReplaceAllFunc(text[begin:], func(letter []byte) []byte {
		n, err := strconv.ParseUint(string(letter[2:6]), 16, 16)
		if err != nil {
			return letter
		}
		return []byte(string(rune(n)))
	})
	return append(text[:begin], clear...)
}
