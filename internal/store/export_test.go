package store

import "io/fs"

// Migrations returns the migrations in the words of the database named by url.
func Migrations(url string) (fs.FS, error) {
	d, err := dialectOf(url)
	if err != nil {
		return nil, err
	}
	return d.migrations()
}
