// Package plan holds the coordinator's trade: what was found for the people of
// a search and who else looks at it, how much time to spare a flight leaves,
// who can be there at all, which flight is proposed for a person, and what is
// booked for many at once.
//
// It decides and says so in types. It knows no page: words, signs and colours
// are web/app's, which maps grades to them; package book acts on what was decided.
//
// A batch belongs to no page and to no process: it is kept in the database,
// worked through by one replica at a time, and taken up by another when that
// one dies.
package plan
