package world

import "sync"

// Known reports whether an airport or a city has the code, three capital letters. It is
// called for every airport of an upload, so it does nothing but a look-up.
func Known(code string) bool {
	if _, ok := airportsByCode()[code]; ok {
		return true
	}
	_, moved := AirportOf(code)
	return moved || cityCodes()[code]
}

var cityCodes = sync.OnceValue(func() map[string]bool {
	codes := map[string]bool{}
	for _, c := range cities() {
		if c.Code != "" {
			codes[c.Code] = true
		}
	}
	return codes
})
