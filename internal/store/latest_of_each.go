package store

import "fmt"

// latestOfEach is a statement that returns the distinct values of a column in an owner's rows of a
// table, each with the column show of its latest row, by the column newest. It reads the index that
// begins with owner and column once for each value, however many rows have that value.
func latestOfEach(table, owner, column, show, newest string, most int) string {
	return fmt.Sprintf(`
	WITH RECURSIVE listed (value) AS (
		SELECT (SELECT r.%[3]s FROM %[1]s r WHERE r.%[2]s = $1 ORDER BY r.%[3]s LIMIT 1)
		UNION ALL
		SELECT (SELECT r.%[3]s FROM %[1]s r WHERE r.%[2]s = $1 AND r.%[3]s > listed.value ORDER BY r.%[3]s LIMIT 1)
		FROM listed
		WHERE listed.value IS NOT NULL
	)
	SELECT listed.value, (
		SELECT r.%[4]s
		FROM %[1]s r
		WHERE r.%[2]s = $1 AND r.%[3]s = listed.value
		ORDER BY r.%[5]s DESC, r.id DESC
		LIMIT 1)
	FROM listed
	WHERE listed.value IS NOT NULL
	LIMIT %[6]d`, table, owner, column, show, newest, most)
}
