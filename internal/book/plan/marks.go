package plan

import "slices"

// A Mark says in what a flight stands out among others.
type Mark string

const (
	Best     Mark = "best" // it is what would be proposed
	Cheapest Mark = "cheapest"
	Earliest Mark = "earliest" // to be there, the way by road included
)

// MarksOf returns in what flights stand out among those with a fare that crew may use, by their best fare. keep and
// choices are those by which the flights were found.
func MarksOf(list []Flight, choices []Choice, keep func(*Choice) bool) map[*Choice][]Mark {
	marks := map[*Choice][]Mark{}
	if i, ok := Proposal(choices, "", keep); ok {
		for _, f := range list {
			if f.Best().flown == choices[i].flown {
				marks[f.Best()] = append(marks[f.Best()], Best)
			}
		}
	}
	usable := slices.DeleteFunc(slices.Clone(list), func(f Flight) bool {
		return !f.Best().ForCrew() || !f.Best().Fit.OK() || f.Best().Spare.Grade == Late || f.Best().Early
	})
	if len(usable) == 0 {
		return marks
	}
	cheapest := slices.MinFunc(usable, func(a, b Flight) int { return ByPrice(a.Best(), b.Best()) }).Best()
	earliest := slices.MinFunc(usable, func(a, b Flight) int {
		if c := a.Best().There.Compare(b.Best().There); c != 0 {
			return c
		}
		return ByPrice(a.Best(), b.Best())
	}).Best()
	marks[cheapest] = append(marks[cheapest], Cheapest)
	marks[earliest] = append(marks[earliest], Earliest)
	return marks
}
