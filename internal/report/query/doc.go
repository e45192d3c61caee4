// Package query translates the trees of package odata into SQL over the report's tables, for
// SQLite and for PostgreSQL, so that both give the same answers to the last byte.
//
// It stands between the two because odata knows no database, and the store no OData: the store
// hands over the name of rows that it has cut to one account, and gets a statement that names
// nothing else. No text of a request comes into a statement: literals are bound, and the names of
// computed columns are made here.
//
// # How values are represented in SQL
//
// Dates, instants, times of day and durations are milliseconds. A number is an integer in units of
// its scale, as in the tree: a BIGINT if the tree says that it always fits, which is called narrow
// here, and otherwise wide. A wide number is a numeric on PostgreSQL; on SQLite, which would make a
// REAL of it, it is a text of 40 digits with an offset, whose order is that of the numbers, and
// functions in Go calculate with it. Nothing is ever a REAL.
//
// No expression is written out more than once where expressions nest, since each level would
// double the statement.
package query
