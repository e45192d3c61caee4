package store

import "gangway/internal/store/internal/gate"

// A dialect is one of the two databases. What really differs between their statements is in
// this file, in wakes.go, or in a file or function named after one of them.
type dialect gate.Dialect

const (
	sqlite   = dialect(gate.SQLite)
	postgres = dialect(gate.Postgres)
)

// retryable is that of gate.Dialect, and so is duplicate.
func (d dialect) retryable(err error) bool { return gate.Dialect(d).Retryable(err) }
func (d dialect) duplicate(err error) bool { return gate.Dialect(d).Duplicate(err) }

// bytewise has a column compared byte by byte on both databases.
func (d dialect) bytewise(column string) string {
	if d == postgres {
		return column + ` COLLATE "C"`
	}
	return column
}

// picked is the condition that query names the row, by its row name, and that
// nobody else has it locked. Unless the list is an array, PostgreSQL reads the
// whole table even for a short one.
func (d dialect) picked(query string) string {
	if d == postgres {
		return `ctid = ANY (ARRAY(` + query + `
			FOR NO KEY UPDATE SKIP LOCKED))`
	}
	return `rowid IN (` + query + `)`
}

// skipLocked locks the rows that a query reads, and leaves out those that others have locked.
func (d dialect) skipLocked() string {
	if d == postgres {
		return ` FOR NO KEY UPDATE SKIP LOCKED`
	}
	return ""
}

// randomText is a text that nobody can guess, another in each row.
func (d dialect) randomText() string {
	if d == postgres {
		return `upper(replace(CAST(gen_random_uuid() AS TEXT), '-', ''))`
	}
	return `hex(randomblob(16))`
}

// clock is the database's own time, in milliseconds.
func (d dialect) clock() string {
	if d == postgres {
		return `CAST(extract(epoch FROM now()) * 1000 AS BIGINT)`
	}
	return `CAST(unixepoch('subsec') * 1000 AS INTEGER)`
}

// keyShare locks the rows that a query reads against being deleted until the transaction ends; others may
// lock them so as well, and change them.
func (d dialect) keyShare() string {
	if d == postgres {
		return ` FOR KEY SHARE`
	}
	return ""
}

// forChange locks the rows of a table that a query reads, in its order, against
// changes by others until the transaction ends.
func (d dialect) forChange(table string) string {
	if d == postgres {
		return ` FOR NO KEY UPDATE OF ` + table
	}
	return ""
}

// rowName is the column that every table has and that identifies a row within it.
func (d dialect) rowName() string {
	if d == postgres {
		return "ctid"
	}
	return "rowid"
}
