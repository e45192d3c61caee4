package main

import (
	"cmp"
	"fmt"
	"strings"

	"gangway/internal/erasure"
	"gangway/internal/gangway"
	"gangway/internal/store"
)

type travellerCommand struct {
	Find   travellerFind   `cmd:"" help:"List the travellers that bookers are offered for the beginning of a surname."`
	Erase  travellerErase  `cmd:"" help:"Erase a person's data from an account. Bookings stay, without the traveller."`
	Export travellerExport `cmd:"" help:"Write all that an account has of a person into a file, for the person."`
}

type travellerErase struct{ travellerFlags }

// travellerFlags name a person of an account.
type travellerFlags struct {
	accountFlags
	erasureFlags
	ID         string          `name:"id" placeholder:"ID" help:"The customer's own identifier of the traveller."`
	DocCountry gangway.Country `placeholder:"CC" help:"With --doc-number: the country that issued the passport, two letters as in PH."`
	DocNumber  string          `placeholder:"NUMBER" help:"The passport's number."`
	Name       string          `placeholder:"NAME" help:"With --dob: surname and given names, as in \"Santos, Maria\"."`
	DOB        gangway.Date    `name:"dob" placeholder:"YYYY-MM-DD" help:"The date of birth."`
}

// erasedTraveller is the answer of traveller erase.
type erasedTraveller struct {
	Customer    string              `json:"customer"`
	Environment gangway.Environment `json:"environment"`
	store.Erased
}

// Run erases the traveller and says what was erased.
func (c *travellerErase) Run(t *terminal) error {
	who, err := c.dataSubject()
	if err != nil {
		return err
	}
	db, account, err := c.account(t)
	if err != nil {
		return err
	}
	if noted, _ := c.logTo(c.storeFlags, db); !noted { // erasing says that the log cannot be written
		c.warnUnlogged(t)
	}
	erased, err := db.In(account.Scope()).EraseTraveller(t.ctx, t.actor(), who, t.now(), forgetTraveller)
	if err != nil && gangway.KindOf(err) != gangway.NotFound {
		return err
	}
	// Nobody is found either if an earlier run was interrupted right here.
	if err := cmp.Or(err, db.Wipe(t.ctx)); err != nil {
		return err
	}
	return c.print(t, erasedTraveller{account.Customer.ID, account.Environment, erased}, erasedWords(erased))
}

// dataSubject is the person whom the flags name. It fails with Invalid if they name nobody, or in more than one way.
func (c *travellerFlags) dataSubject() (erasure.DataSubject, error) {
	ways := 0
	for _, given := range []string{c.ID, string(c.DocCountry) + c.DocNumber, c.Name + string(c.DOB)} {
		if given != "" {
			ways++
		}
	}
	switch {
	case ways != 1, (c.DocCountry == "") != (c.DocNumber == ""), (c.Name == "") != (c.DOB == ""):
		return erasure.DataSubject{}, wrongUsage("name the traveller by --id, or by --doc-country and --doc-number, " +
			"or by --name and --dob")
	case c.DOB != "" && !c.DOB.Valid():
		return erasure.DataSubject{}, wrongUsage("--dob is a date as in 1990-01-31")
	}
	issuer := gangway.Country(strings.ToUpper(string(c.DocCountry)))
	if issuer != "" && !issuer.Assigned() {
		return erasure.DataSubject{}, wrongUsage("--doc-country: there is no country %q: give two letters, as in PH",
			c.DocCountry)
	}
	return erasure.DataSubject{ID: c.ID, DocCountry: issuer, DocNumber: c.DocNumber, Name: c.Name, DOB: c.DOB}, nil
}

func erasedWords(e store.Erased) string {
	var b strings.Builder
	b.WriteString("Erased:\n")
	for _, row := range []struct {
		n    int
		what string
	}{
		{e.Travellers, "stored travellers"}, {e.Requests, "travel requests"}, {e.CrewChanges, "places in crew changes"},
		{e.Searches, "places in searches"},
		{e.Attempts, "attempts to book"}, {e.Batches, "places in batches"},
		{e.HandOffs, "unclaimed hand-offs"},
	} {
		fmt.Fprintf(&b, "  %6d  %s\n", row.n, row.what)
	}
	fmt.Fprintf(&b, "  %6d  bookings, with %d actions: they stay, of an erased traveller\n", e.Bookings, e.Actions)
	if len(e.Alike) > 0 {
		fmt.Fprintf(&b, "\nLeft, because it may be somebody else with the same name or passport: %s. Erase it too if "+
			"it is the same person.\n", strings.Join(e.Alike, "; "))
	}
	b.WriteString("\nBackups made before, and what suppliers and the customer's own systems keep, are not reached by " +
		"this.\n")
	return b.String()
}
