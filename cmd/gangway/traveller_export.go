package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"

	"github.com/go-json-experiment/json/jsontext"
)

type travellerExport struct {
	File string `arg:"" help:"Where to write the JSON, readable by you only. The file must not exist yet."`
	travellerFlags
}

// exportedTraveller is what the file has.
type exportedTraveller struct {
	Customer    string              `json:"customer"`
	Environment gangway.Environment `json:"environment"`
	At          time.Time           `json:"exported_at"`
	store.PersonExport
}

// exportSummary is the answer of traveller export.
type exportSummary struct {
	File    string         `json:"file"`
	Records map[string]int `json:"records"`
	Alike   []string       `json:"alike,omitempty"`
}

// Run writes the file and says what is in it.
func (c *travellerExport) Run(t *terminal) (err error) {
	who, err := c.dataSubject()
	if err != nil {
		return err
	}
	db, account, err := c.account(t)
	if err != nil {
		return err
	}
	file, err := os.OpenFile(c.File, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() {
		if err = errors.Join(err, file.Close()); err != nil {
			os.Remove(c.File)
		}
	}()
	got, err := db.In(account.Scope()).ExportTraveller(t.ctx, t.actor(), who, t.now())
	if err != nil {
		return err
	}
	err = printJSON(file, exportedTraveller{account.Customer.ID, account.Environment, t.now(), got},
		jsontext.WithIndent("  "))
	if err != nil {
		return err
	}
	sum, words := exportSummary{c.File, map[string]int{}, got.Alike}, c.File+" has:\n"
	for _, kind := range slices.Sorted(maps.Keys(got.Records)) {
		sum.Records[kind] = len(got.Records[kind])
		words += fmt.Sprintf("  %6d  %s\n", len(got.Records[kind]), strings.ReplaceAll(kind, "_", " "))
	}
	if len(got.Alike) > 0 {
		words += fmt.Sprintf("\nLeft out, because it may be somebody else with the same name or passport: %s.\n",
			strings.Join(got.Alike, "; "))
	}
	return c.print(t, sum, words+"\nFeed documents, request bodies and unclaimed hand-offs are not in it: they expire "+
		"within days. Neither is what suppliers and the customer's own systems keep.\n")
}
