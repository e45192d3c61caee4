package itinerary

import (
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// WriteICS writes p as a calendar, RFC 5545: an event for each flight, by UTC, so that a calendar shows it by the clock
// of the place where its owner is; the local times are in its description.
func WriteICS(w io.Writer, p Paper) error {
	var b strings.Builder
	line := func(name, value string) { fold(&b, name+":"+value) }
	line("BEGIN", "VCALENDAR")
	line("VERSION", "2.0")
	line("PRODID", "-//Gangway//Itinerary//EN")
	for _, t := range p.Trips {
		status := "CONFIRMED"
		if len(t.Warnings) > 0 {
			status = "TENTATIVE"
		}
		for i, e := range t.Events {
			summary, about := e.Summary, slices.Concat([]string{t.Name}, t.Warnings, e.Lines)
			if p.Unreal {
				about = append(about, Unreal)
			}
			if i == len(t.Events)-1 && t.There.After(e.Lands) {
				about = append(about, "At the port "+t.There.Format("Mon 2 Jan 15:04"))
			}
			if len(p.Trips) > 1 {
				summary += " · " + t.Name
			}
			for _, f := range slices.Concat(t.Facts, p.Facts) {
				about = append(about, f.Name+": "+f.Value)
			}
			line("BEGIN", "VEVENT")
			line("UID", e.ID+"@gangway")
			line("DTSTAMP", utc(p.At))
			line("DTSTART", utc(e.Leaves))
			line("DTEND", utc(e.Lands))
			line("STATUS", status)
			line("SUMMARY", escape(summary))
			line("LOCATION", escape(e.Where))
			line("DESCRIPTION", escape(strings.Join(about, "\n")))
			line("END", "VEVENT")
		}
	}
	line("END", "VCALENDAR")
	_, err := io.WriteString(w, b.String())
	return err
}

func utc(t time.Time) string { return t.UTC().Format("20060102T150405Z") }

// escape writes a text value.
func escape(text string) string {
	return strings.NewReplacer(`\`, `\\`, ";", `\;`, ",", `\,`, "\n", `\n`, "\r", "").Replace(text)
}

// fold writes a content line, of which no line has more than 75 bytes.
func fold(b *strings.Builder, line string) {
	for most := 75; len(line) > most; most = 74 { // behind the space
		end := most
		for !utf8.RuneStart(line[end]) {
			end--
		}
		b.WriteString(line[:end] + "\r\n ")
		line = line[end:]
	}
	b.WriteString(line + "\r\n")
}
