// Package plan holds the coordinator's trade: the search session that everybody who
// looks at a search shares, how much time to spare a flight leaves, who can be there
// at all, which flight is proposed for a person, and the batch that books for many
// at once.
//
// It decides, and expresses its decisions as types. It knows no page: words, signs
// and colours belong to web/app, which maps grades to them. Package book carries out
// what was decided.
//
// A batch belongs to no page and to no process: it is stored in the database, worked
// on by one replica at a time, and taken over by another when that one dies.
package plan
