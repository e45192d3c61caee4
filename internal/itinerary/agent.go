package itinerary

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"gangway/internal/gangway"
)

// A Row is a traveller on the list for a ship's agent, who gets neither passport nor date of birth.
type Row struct {
	Booking string // empty: they are not booked
	Mark    Mark
	Cells   []string // as Columns names them
}

// A Mark says how a row differs from the list that was sent before.
type Mark string

const (
	Same    Mark = ""
	Added   Mark = "new"
	Changed Mark = "changed"
	Removed Mark = "removed" // not on the list any more
)

// Columns are the columns of the list.
var Columns = []string{"Side", "Name", "Rank", "Flights", "From", "Departs", "To", "Arrives", "At the port", "Status"}

// RowOf is the row of a trip, of a booking in a state in words.
func RowOf(t Trip, b gangway.Booking, rank, state string) Row {
	const clock = "Mon 2 Jan 15:04"
	flights := gangway.Each(b.Itinerary.Segments, gangway.Segment.Name)
	cells := []string{string(t.Side), t.Name, rank, strings.Join(flights, ", "), "", "", "", "", "", state}
	if n := len(b.Itinerary.Segments); n > 0 {
		first, last := b.Itinerary.Segments[0], b.Itinerary.Segments[n-1]
		cells[4], cells[5] = end(first.Origin, first.OriginTerminal), first.Departure.Format(clock)
		cells[6], cells[7] = end(last.Destination, last.DestinationTerminal), last.Arrival.Format(clock)
		if t.There.After(last.Arrival) {
			cells[8] = t.There.Format(clock)
		}
	}
	return Row{Booking: b.ID, Cells: cells}
}

// Unbooked is the row of somebody who is planned and has no flight.
func Unbooked(m gangway.SearchMember) Row {
	name, _ := names(m.Traveller)
	return Row{Cells: []string{string(m.Side), name, m.Rank, "", "", "", "", "", "", "not booked yet"}}
}

// Words are a row's cells as one text, which Since compares.
func (r Row) Words() string { return strings.Join(r.Cells, "\t") }

// Since marks how rows differ from those that were sent before, by booking, and adds those that are gone. Somebody who
// has another booking has changed.
func Since(rows []Row, before map[string]string) []Row {
	if before == nil {
		return rows
	}
	rows, gone := slices.Clone(rows), map[string]string{} // by side and name: booking
	for id, words := range before {
		if !slices.ContainsFunc(rows, func(r Row) bool { return r.Booking == id }) {
			gone[person(strings.Split(words, "\t"))] = id
		}
	}
	for i, r := range rows {
		words, there := before[r.Booking]
		_, other := gone[person(r.Cells)]
		switch {
		case other, there && words != r.Words():
			rows[i].Mark = Changed
		case !there && r.Booking != "":
			rows[i].Mark = Added
		}
		delete(gone, person(r.Cells))
	}
	for _, id := range gone {
		rows = append(rows, Row{id, Removed, strings.Split(before[id], "\t")})
	}
	slices.SortStableFunc(rows[len(rows)-len(gone):], func(a, b Row) int { return cmp.Compare(a.Words(), b.Words()) })
	return rows
}

func person(cells []string) string { return strings.Join(cells[:2], "\t") }

// MailText is the list as the text of a mail.
func MailText(p Paper, rows []Row) string {
	var b strings.Builder
	if b.WriteString(p.Title + "\n"); p.Unreal {
		b.WriteString(Unreal + "\n")
	}
	for _, f := range p.Facts {
		fmt.Fprintf(&b, "%s: %s\n", f.Name, f.Value)
	}
	for _, r := range rows {
		b.WriteString("\n")
		if r.Mark != Same {
			b.WriteString("[" + strings.ToUpper(string(r.Mark)) + "] ")
		}
		b.WriteString(r.Cells[1] + "\n")
		for i, cell := range r.Cells {
			if i != 1 && cell != "" {
				fmt.Fprintf(&b, "  %s: %s\n", Columns[i], cell)
			}
		}
	}
	return b.String() + "\n" + p.AsOf() + "\n"
}
