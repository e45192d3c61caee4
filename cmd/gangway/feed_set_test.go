package main

import (
	"path/filepath"
	"strings"
	"testing"

	"gangway/internal/store/storetest"
)

// TestFeedSetTriesASample: a feed that would store nothing of its sample is not set, and why is said.
func TestFeedSetTriesASample(t *testing.T) {
	v := newCustomerOf(t, storetest.SQLiteURL(t))
	folder := t.TempDir()
	sample := filepath.Join(folder, "crew.csv")
	dropFile(t, sample, "id,vessel\n1,Aurora\n2,Orion\n")
	file := filepath.Join(folder, "crew.json")
	dropFile(t, file, crewIn(folder))
	set := v.of(nil, "feed", "set", "--file", file, "--sample", sample)
	out, err := gangwayCommand(t, set...).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "nothing was set: nothing of the sample would be stored") {
		t.Errorf("feed set said %s, %v", out, err)
	}
	dropFile(t, sample, "id,last_name,first_name\n1,Reyes,Ana\n2,,\n")
	if out, err := gangwayCommand(t, set...).CombinedOutput(); err != nil {
		t.Errorf("feed set said %s, %v; want it set, since a record would be stored", out, err)
	}
}
