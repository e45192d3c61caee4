// Package pack writes the files of reference data that the program is built with.
package pack

import (
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"log"
	"path/filepath"
	"runtime"
)

// Main runs a command that makes a file. here is the folder of the caller's source.
func Main(run func(here string) error) {
	log.SetFlags(0)
	_, self, _, _ := runtime.Caller(1)
	if err := run(filepath.Dir(self)); err != nil {
		log.Fatal(err)
	}
}

// CSV packs a table, without a time in its heading, so that it is the same each time.
func CSV(rows [][]string) ([]byte, error) {
	var packed bytes.Buffer
	z, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if err := csv.NewWriter(z).WriteAll(rows); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return packed.Bytes(), nil
}
