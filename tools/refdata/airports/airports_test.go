package main

import (
	"bytes"
	"os"
	"testing"
)

func TestTheCommittedFileIsWhatThePackagesMake(t *testing.T) {
	if _, err := os.Stat("../node_modules"); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("the packages are missing: scripts/need refdata installs them")
		}
		t.Skip("the packages are not installed: scripts/need refdata installs them")
	}
	list, err := build(".")
	if err != nil {
		t.Fatal(err)
	}
	got, err := pack(list)
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("../../../internal/world/data/airports.csv.gz")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("it differs (%d bytes, committed %d): run go generate ./internal/world", len(got), len(want))
	}
}
