// Package plan holds the coordinator's trade: what was found for the people of
// a search and who else looks at it, how much time to spare a flight leaves,
// who can be there at all, and which flight is proposed for a person.
//
// It decides and says so in types. It knows no page: words, signs and colours
// are web/app's, which maps grades to them; package book acts on what was decided.
package plan
