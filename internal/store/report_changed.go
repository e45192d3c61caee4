package store

// Whoever has read the report and asks for what has changed since must miss nothing, although
// transactions that began before the reading may end after it. Therefore a row has the number of
// the transaction that wrote it, and a reader remembers the oldest one that was still under way:
// every later change has that number or a higher one. A change may be read twice, never missed.

// thisChange is the expression for the number of the transaction that writes. SQLite has one
// writer at a time, whose transactions end in the order in which they began.
func (d dialect) thisChange() string {
	if d == postgres {
		return `CAST(CAST(pg_current_xact_id() AS TEXT) AS BIGINT)`
	}
	return `coalesce((SELECT max(changed) FROM report_booking WHERE account = $1), 0) + 1`
}

// selectOldestChange asks for the lowest number that a change to be seen later may have; $1 is the
// account.
func (d dialect) selectOldestChange() string {
	if d == postgres {
		return `SELECT CAST(CAST(pg_snapshot_xmin(pg_current_snapshot()) AS TEXT) AS BIGINT) WHERE $1 <> ''`
	}
	return `SELECT ` + d.thisChange()
}
