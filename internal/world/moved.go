package world

import "sync"

// A movedAirport maps an airport code that is no longer in use to today's: the airport
// got a new code, or its airlines moved to a new airport.
type movedAirport struct{ code, now string }

var moves = sync.OnceValue(func() []movedAirport {
	var list []movedAirport
	table("moved.csv", 4, func(row []string) { list = append(list, movedAirport{row[0], row[1]}) })
	return list
})

var movesByCode = sync.OnceValue(func() map[string]string {
	index := map[string]string{}
	for _, m := range moves() {
		index[m.code] = m.now
	}
	return index
})

// formerly returns the former codes under which people may still look for an
// airport, by its current code.
var formerly = sync.OnceValue(func() map[string][]string {
	index := map[string][]string{}
	for _, m := range moves() {
		index[m.now] = append(index[m.now], m.code)
	}
	return index
})

// CurrentCode returns the current code for an airport's code, in upper or lower case,
// and whether it differs: crewing systems keep sending KIV years after Chişinău became
// RMO.
//
// This is the only place that resolves old codes, and PlaceOf and End.Find use it.
// Records keep the code that the customer sent.
func CurrentCode(code string) (now string, moved bool) {
	if now, moved = movesByCode()[codeForm(code)]; moved {
		return now, true
	}
	return codeForm(code), false
}
