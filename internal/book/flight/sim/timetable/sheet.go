package timetable

// Departures returns the departures of a UTC day by time.
func (t *Timetable) Departures(day int) []Departure {
	s := t.sheets.of(day)
	s.once.Do(func() { s.departures = t.layOut(day) })
	return s.departures
}

// layOut makes a sheet. It visits the lines in their order and counts them into the minutes of the day, which is
// quicker than sorting.
func (t *Timetable) layOut(day int) []Departure {
	var first [MinutesADay + 1]uint32 // by minute: the index of its first departure
	t.eachDeparture(day, func(d Departure) { first[d.Minute+1]++ })
	for i := range MinutesADay {
		first[i+1] += first[i]
	}
	list := make([]Departure, first[MinutesADay])
	t.eachDeparture(day, func(d Departure) {
		list[first[d.Minute]] = d
		first[d.Minute]++
	})
	return list
}

// eachDeparture yields the departures of a UTC day, in the order of the lines.
func (t *Timetable) eachDeparture(utcDay int, yield func(Departure)) {
	for place := range t.Places {
		edges := t.From(place)
		if len(edges) == 0 {
			continue
		}
		for day := utcDay - 1; day <= utcDay+1; day++ {
			offset, steady := t.Offset(place, day)
			begin := (day-utcDay)*MinutesADay - offset // of the local day
			if steady && (begin >= MinutesADay || begin <= -MinutesADay) {
				continue
			}
			today := Weekday(day)
			for i := edges[0].First; i < edges[len(edges)-1].After; i++ {
				l := &t.Lines[i]
				if l.Days&today == 0 {
					continue
				}
				minute := begin + int(l.Dep)
				if !steady {
					minute = t.UTC(place, day, int(l.Dep)) - utcDay*MinutesADay
				}
				if minute < 0 || minute >= MinutesADay {
					continue
				}
				d := Departure{From: l.From, To: l.To, Minute: uint16(minute), Block: l.Block}
				d.line = i | uint32(day-utcDay+1)<<shiftStart
				if t.alone[l.Carrier] {
					d.line |= aloneMark
				}
				if t.named[l.Carrier] {
					d.line |= namedMark
				}
				yield(d)
			}
		}
	}
}
