package store

import (
	"fmt"
	"io/fs"
	"strings"
)

// migrations returns the migrations in the dialect's words, each with what it
// says of programs that do not know it.
func (d dialect) migrations() (fs.FS, error) {
	written, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, fmt.Errorf("migrations: %w", err)
	}
	return migrationFiles{written, d}, nil
}

// migrationFiles are migrations as they are written, in the words of a dialect
// once they are opened.
type migrationFiles struct {
	written fs.FS
	dialect dialect
}

// A migrationFile is one of them, open.
type migrationFile struct {
	fs.File
	text *strings.Reader
}

// Open returns a migration, or the folder of them all.
func (m migrationFiles) Open(name string) (fs.File, error) {
	if name == "." {
		return m.written.Open(name)
	}
	text, err := fs.ReadFile(m.written, name)
	if err != nil {
		return nil, fmt.Errorf("migrations: %w", err)
	}
	oldest, err := saysOldest(name, string(text))
	if err != nil {
		return nil, err
	}
	file, err := m.written.Open(name)
	return migrationFile{file, strings.NewReader(m.dialect.migrationText(string(text)) + oldest)}, err
}

func (f migrationFile) Read(b []byte) (int, error) { return f.text.Read(b) }

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
