package main

import (
	"bytes"
	"os"
	"testing"

	"gangway/internal/need"
	"gangway/tools/refdata/pack"
)

func TestTrialTheCommittedFileIsWhatThePackagesMake(t *testing.T) {
	need.Trial(t)
	need.Refdata(t)
	list, err := build(".")
	if err != nil {
		t.Fatal(err)
	}
	got, err := pack.CSV(rows(list))
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
