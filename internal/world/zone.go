package world

import (
	"archive/zip"
	"bytes"
	_ "embed"
	"fmt"
	"io"
	"sync"
	"time"
)

//go:embed data/zoneinfo.zip
var zoneFiles []byte

var zones = sync.OnceValues(func() (*zip.Reader, error) {
	return zip.NewReader(bytes.NewReader(zoneFiles), int64(len(zoneFiles)))
})

// Zone returns the time zone of an IANA name. It reads the database that the program carries and never the machine's:
// replicas on different machines have to agree about local times.
func Zone(name string) (*time.Location, error) {
	if z, ok := zonesRead.Load(name); ok {
		return z.(*time.Location), nil
	}
	files, err := zones()
	if err != nil {
		return nil, fmt.Errorf("read time zones: %w", err)
	}
	f, err := files.Open(name)
	if err != nil {
		return nil, fmt.Errorf("time zone %q: %w", name, err)
	}
	defer f.Close()
	data, err := io.ReadAll(f)
	if err != nil {
		return nil, fmt.Errorf("time zone %q: %w", name, err)
	}
	z, err := time.LoadLocationFromTZData(name, data)
	if err == nil {
		zonesRead.Store(name, z)
	}
	return z, err
}

var zonesRead sync.Map // by name: those that were asked for
