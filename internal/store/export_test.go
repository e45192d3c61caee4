package store

import (
	"context"
	"io/fs"
	"strings"
)

// Migrations returns the migrations in the words of the database named by url.
func Migrations(url string) (fs.FS, error) {
	d, err := dialectOf(url)
	if err != nil {
		return nil, err
	}
	return d.migrations()
}

// ForgetWords leaves travellers as they were before the words of their names were kept.
func (db *DB) ForgetWords(ctx context.Context) error {
	_, err := db.writer.ExecContext(ctx, `UPDATE traveller SET word1 = '', word2 = '', word3 = '', word4 = '', worded = ''`)
	return err
}

// JudgedColumns are all columns that personal.go has judged, as table.column.
func JudgedColumns() (list []string) {
	for _, t := range keptTables {
		for _, column := range strings.Fields(t.personal + " " + t.other) {
			list = append(list, t.table+"."+column)
		}
	}
	return list
}

// TablesOfAccounts are those whose rows belong to an account.
func TablesOfAccounts() []string { return tablesOf(ofAccount) }
