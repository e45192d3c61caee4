package main

import (
	"os"
	"testing"

	"gangway/internal/need"
)

func TestTrialTheCommittedFileIsWhatThePackageMakes(t *testing.T) {
	need.Trial(t)
	const source = "../node_modules/@zxcvbn-ts/language-common/src/passwords.json"
	need.Refdata(t)
	got, err := common(source)
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("../../../internal/web/access/common_passwords.txt")
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("it differs (%d bytes, committed %d): run go generate ./internal/web/access", len(got), len(want))
	}
}
