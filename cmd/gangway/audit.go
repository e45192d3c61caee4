package main

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode"

	"gangway/internal/gangway"
	"gangway/internal/store"

	"github.com/go-json-experiment/json"
)

type auditCommand struct {
	dataFlags
	Customer    string `placeholder:"ID" help:"Only what concerns this customer."`
	Environment string `placeholder:"production|development" help:"Only what concerns this environment, and what concerns both."`
	Who         string `placeholder:"WHO" help:"Only what was done by this e-mail address, or by command, system or unknown."`
	What        string `placeholder:"EVENT" help:"Only these events, as in sign_in.failed."`
	Since       string `placeholder:"TIME" help:"From this instant on, as in 2026-11-22 or 2026-11-22T09:00:00Z."`
	Until       string `placeholder:"TIME" help:"Before this instant."`
}

// A listedEntry is an entry of the audit log, as audit prints it. Auditors compute digest and hash from the other
// members: see docs/operators.md.
type listedEntry struct {
	At          time.Time           `json:"at"`
	Who         string              `json:"who"`
	From        string              `json:"from"`
	What        string              `json:"what"`
	Before      map[string]any      `json:"before"` // null if there was nothing
	After       map[string]any      `json:"after"`
	Customer    string              `json:"customer"`
	Environment gangway.Environment `json:"environment"`
	Seq         int64               `json:"seq,omitzero"` // absent, with the others, until the entry is in the chain
	Salt        string              `json:"salt,omitzero"`
	Digest      string              `json:"digest,omitzero"`
	Hash        string              `json:"hash,omitzero"`
}

// auditBatch is how many entries are read at a time, so that a long log needs little
// memory.
const auditBatch = 500

// Run prints the requested part of the audit log, oldest entries first.
//
// Decided: docs/choices.md, "The audit log".
func (c *auditCommand) Run(t *terminal) error {
	q := store.AuditQuery{
		Customer: c.Customer, Environment: gangway.Environment(c.Environment), By: c.Who,
		What: gangway.AuditEvent(c.What),
	}
	if err := c.checkWords(); err != nil {
		return err
	}
	var err error
	if q.Since, err = readInstant("--since", c.Since); err != nil {
		return err
	}
	if q.Until, err = readInstant("--until", c.Until); err != nil {
		return err
	}
	if !q.Since.IsZero() && !q.Until.IsZero() && !q.Since.Before(q.Until) {
		return wrongUsage("--until %s is not after --since %s: there is nothing between them", c.Until, c.Since)
	}
	db, err := c.open(t)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(t.out)
	n, err := c.write(t, out, db, q)
	if err == nil && n == 0 && c.Customer != "" {
		_, err = db.Customer(t.ctx, c.Customer) // a removed customer still has entries
	}
	if err != nil {
		return err
	}
	return out.Flush()
}

// checkWords refuses an unknown environment or event.
func (c *auditCommand) checkWords() error {
	switch gangway.Environment(c.Environment) {
	case "", gangway.Production, gangway.Development:
	default:
		return wrongUsage("--environment must be one of %q,%q but got %q", gangway.Production, gangway.Development,
			c.Environment)
	}
	if c.What != "" && !slices.Contains(gangway.AuditEvents, gangway.AuditEvent(c.What)) {
		return wrongUsage("--what: there is no event %q; there are %s", c.What, listWords(gangway.AuditEvents))
	}
	return nil
}

func (c *auditCommand) write(t *terminal, out io.Writer, db *store.DB, q store.AuditQuery) (n int, err error) {
	for {
		list, err := db.Audit(t.ctx, q, auditBatch)
		if err != nil {
			return n, err
		}
		for _, e := range list {
			if err := c.writeEntry(out, e); err != nil {
				return n, err
			}
		}
		n += len(list)
		if len(list) < auditBatch {
			return n, nil
		}
		last := list[len(list)-1]
		q.After = store.AuditPlace{At: last.At, ID: last.ID}
	}
}

func (c *auditCommand) writeEntry(out io.Writer, e gangway.AuditEntry) error {
	listed := listedEntry{e.At, e.By.Who(), e.By.From, string(e.What), e.Before, e.After, e.Customer, e.Environment,
		e.Link.Seq, e.Link.Salt, e.Link.Digest, e.Link.Hash}
	if !c.JSON {
		_, err := fmt.Fprintln(out, listed.words())
		return err
	}
	return printJSON(out, listed, json.FormatNilMapAsNull(true)) // which tells nothing from empty
}

// words is an entry in one line for people.
func (e listedEntry) words() string {
	line := fmt.Sprintf("%s  %-22s %s from %s", e.At.UTC().Format(time.RFC3339), e.What, printable(e.Who),
		printable(e.From))
	if e.Before != nil {
		line += "  before " + auditDetails(e.Before)
	}
	if e.After != nil {
		line += "  after " + auditDetails(e.After)
	}
	return line
}

// printable keeps a name from adding lines, or controlling the terminal.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '\uFFFD'
	}, s)
}

func auditDetails(values map[string]any) string {
	doc, err := json.Marshal(values, json.Deterministic(true))
	if err != nil {
		return fmt.Sprint(values)
	}
	return string(doc)
}

// readInstant reads an instant, or a day, which begins at midnight UTC.
func readInstant(flag, text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	layout := time.RFC3339
	if !strings.Contains(text, "T") {
		layout = time.DateOnly
	}
	at, err := time.Parse(layout, text)
	if err != nil {
		return at, wrongUsage("%s: %q is not a time such as 2026-11-22 or 2026-11-22T09:00:00Z", flag, text)
	}
	return at, nil
}
