package store

import (
	"fmt"
	"io/fs"
	"strings"
)

// migrationFiles are the migrations' files; opening one translates it into the
// dialect's SQL.
type migrationFiles struct {
	written fs.FS
	dialect dialect
}

// A migrationFile is one of them, opened.
type migrationFile struct {
	fs.File
	text *strings.Reader
}

// Open returns a migration, or the folder with all of them.
func (m migrationFiles) Open(name string) (fs.File, error) {
	if name == "." {
		return m.written.Open(name)
	}
	text, err := fs.ReadFile(m.written, name)
	if err != nil {
		return nil, fmt.Errorf("migrations: %w", err)
	}
	version, oldest, err := oldestOf(name, string(text))
	if err != nil {
		return nil, err
	}
	file, err := m.written.Open(name)
	return migrationFile{file, strings.NewReader(m.dialect.migrationText(string(text)) + fmt.Sprintf(`
INSERT INTO schema_oldest (version, oldest)
VALUES (%d, %d)
ON CONFLICT DO NOTHING;
`, version, oldest))}, err
}

func (f migrationFile) Read(b []byte) (int, error) { return f.text.Read(b) }

// migrationText translates a migration into the dialect's SQL:
//
//   - COLLATE_BYTES follows every text column. SQLite compares bytes anyway.
//     PostgreSQL would order by its database's language, and then an index could
//     not find a name by how it begins.
//   - CONCURRENTLY creates or drops an index while others write, and ADD COLUMN IF
//     NOT EXISTS can be run again after an interruption. SQLite has neither and
//     needs neither: it has one writer and migrates in a transaction.
//   - WITHOUT_ROWID makes SQLite store a table in its primary key alone.
//   - A line that begins with ON_POSTGRES or ON_SQLITE is only for that database.
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
