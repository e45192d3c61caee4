package world

import "sync"

// A movedAirport says that what airlines called by one code is today reached under
// another: the airport got a new code, or its airlines moved to a new one.
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

// formerly returns the codes under which people may still look for an airport,
// by its code of today.
var formerly = sync.OnceValue(func() map[string][]string {
	index := map[string][]string{}
	for _, m := range moves() {
		index[m.now] = append(index[m.now], m.code)
	}
	return index
})

// CurrentCode returns the code under which an airport is reached today, and
// whether that is another than the one given, in whatever case: crewing systems
// keep sending KIV years after Chişinău became RMO.
//
// It is the one place that knows. PlaceOf and FindPlaces take old codes by it;
// records keep the code that the customer sent.
func CurrentCode(code string) (now string, moved bool) {
	if now, moved = movesByCode()[codeForm(code)]; moved {
		return now, true
	}
	return codeForm(code), false
}
