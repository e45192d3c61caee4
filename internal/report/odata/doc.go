// Package odata reads OData 4.01 requests of a read-only service. In go the
// address of a request and a schema; out comes a tree of typed nodes, checked
// from end to end, or an *Error that says what is wrong and where.
//
// The tree knows no database. What it promises to those who translate it:
//
//   - Every expression has its type, and both sides of a comparison have the
//     same one, down to the number of decimal places.
//   - A literal has a Go value of its type (see Literal). Aliases, now(),
//     mindatetime() and maxdatetime() are literals or expressions already.
//   - Nothing can fail for a single row: a division by zero is null, sums and
//     products that could need more than 38 digits are refused here, and so are
//     regular expressions.
//   - OrderBy is a total order.
//   - Depth, terms and lists are bounded (see Limits).
//
// The clauses that comments name are those of OData 4.01: P is Part 1
// (Protocol), U is Part 2 (URL Conventions), A is Data Aggregation.
//
// # What expressions mean
//
// Null (U 5.1.1.1): eq and ne treat null as a value, so they are never null;
// gt, ge, lt and le are false when a side is null; in is eq with each member.
// Functions and arithmetic with a null are null. and, or and not are
// three-valued. A filter keeps the rows for which it is true.
//
// Numbers are exact. A number is an integer with the type's scale: 12.50 is
// 1250 with scale 2. div and mod truncate towards zero for integers; a decimal
// quotient (div with a decimal, divby) has the larger scale of both sides, at
// least 6, and is rounded half away from zero. So is round. Dividing by zero
// gives null.
//
// Text is compared by its bytes in UTF-8, without folding. length, indexof and
// substring count code points. A negative start of substring counts from the
// end, and is the beginning if there is nothing so far from the end; a negative
// length is 0. tolower and toupper replace each code point by itself, see Lower
// and Upper. trim takes off what Whitespace lists.
//
// Instants are in UTC and have milliseconds; digits beyond are dropped, except
// that a comparison honours them. Their offset is therefore always 0. An
// instant or a date outside the years 1 to 9999 is null. A date plus a duration
// counts its whole days only.
//
// Order: null first, false before true, text by its bytes.
package odata
