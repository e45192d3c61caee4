package gangway

// A FlightNeed is where and when a traveller has to fly. Customers use its
// dates in two different ways; Reading tells which.
type FlightNeed struct {
	Origin      Airport `json:"origin"`
	Destination Airport `json:"destination"`
	Date        Date    `json:"date"` // departure from Origin, or of the last flight
	Via         []Stop  `json:"via,omitempty"`
}

// A Stop is an intermediate airport, and the date of departure from it or of
// the flight to it.
type Stop struct {
	Airport Airport `json:"airport"`
	Date    Date    `json:"date"`
}

// A DateReading says what the dates of a FlightNeed mean.
type DateReading int

const (
	Departures  DateReading = iota // Date is that of the flight from Origin, a stop's that of the flight from it
	FinalFlight                    // Date is that of the flight to Destination, a stop's that of the flight to it
	Unordered                      // neither is possible
)

// Reading returns what the dates of f mean. Their order tells, because nobody
// leaves an airport before arriving there. Dates that fit both readings, because
// all are equal or some are missing, count as departures.
//
// Decided: docs/choices.md, "Uploads".
func (f FlightNeed) Reading() DateReading {
	var first, last Date // of the stops
	for _, v := range f.Via {
		switch {
		case v.Date == "":
			continue
		case v.Date < last:
			return Unordered
		case first == "":
			first = v.Date
		}
		last = v.Date
	}
	switch {
	case f.Date == "", first == "", f.Date <= first:
		return Departures
	case f.Date >= last:
		return FinalFlight
	}
	return Unordered
}

// Legs returns the flights asked for: one more than there are intermediate
// airports. If the dates fit neither reading, the legs have none: a person must
// say what was meant.
func (f FlightNeed) Legs() []Leg {
	legs := make([]Leg, 0, len(f.Via)+1)
	from := Place(f.Origin)
	for _, v := range f.Via {
		legs = append(legs, Leg{Origin: from, Destination: Place(v.Airport)})
		from = Place(v.Airport)
	}
	legs = append(legs, Leg{Origin: from, Destination: Place(f.Destination)})
	switch f.Reading() {
	case Departures:
		legs[0].Date = f.Date
		for i, v := range f.Via {
			legs[i+1].Date = v.Date
		}
	case FinalFlight:
		for i, v := range f.Via {
			legs[i].Date = v.Date
		}
		legs[len(f.Via)].Date = f.Date
	}
	return legs
}

// Starts returns the date of the first flight, or the earliest date if the dates
// fit neither reading. It is empty while that date is not known.
func (f FlightNeed) Starts() Date {
	switch f.Reading() {
	case FinalFlight:
		return f.Via[0].Date
	case Unordered:
		first := f.Date
		for _, v := range f.Via {
			if v.Date != "" {
				first = min(first, v.Date)
			}
		}
		return first
	}
	return f.Date
}
