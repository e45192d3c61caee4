package store

import (
	"fmt"
	"io/fs"
	"path"
	"strings"
	"testing/fstest"
)

// migrations returns the migrations in the dialect's words, each with what it
// says of programs that do not know it.
func (d dialect) migrations() (fs.FS, error) {
	files := fstest.MapFS{}
	names, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		return nil, fmt.Errorf("migrations: %w", err)
	}
	for _, name := range names {
		text, err := migrations.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("migrations: %w", err)
		}
		oldest, err := saysOldest(name, string(text))
		if err != nil {
			return nil, err
		}
		files[path.Base(name)] = &fstest.MapFile{Data: []byte(d.migrationText(string(text)) + oldest)}
	}
	return files, nil
}

// migrationText writes a migration in the dialect's words:
//
//   - COLLATE_BYTES stands behind every column of text. SQLite compares bytes
//     anyway; PostgreSQL orders by the language of its database unless it is
//     told otherwise, and then finds nothing by the start of a name.
//   - CONCURRENTLY makes or drops an index while others write, and ADD COLUMN IF
//     NOT EXISTS goes on after an interruption: SQLite knows neither, and needs
//     neither, for it has one writer and migrates in a transaction.
//   - WITHOUT_ROWID keeps a table in its primary key alone, on SQLite.
//   - A line that begins with ON_POSTGRES or ON_SQLITE is for that one alone.
func (d dialect) migrationText(text string) string {
	mine, other := "ON_SQLITE ", "ON_POSTGRES "
	words := strings.NewReplacer("COLLATE_BYTES", "", "INDEX CONCURRENTLY", "INDEX",
		"COLUMN IF NOT EXISTS", "COLUMN", "WITHOUT_ROWID", "WITHOUT ROWID")
	if d == postgres {
		mine, other, words = other, mine, strings.NewReplacer("COLLATE_BYTES", `COLLATE "C"`, "WITHOUT_ROWID", "")
	}
	var out strings.Builder
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, other) {
			continue
		}
		out.WriteString(words.Replace(strings.TrimPrefix(line, mine)))
	}
	return out.String()
}
