package main

import (
	"fmt"

	"gangway/internal/gangway"
)

type reportCommand struct {
	Rebuild reportRebuild `cmd:"" help:"Write all rows of an account's report anew while it is read; the server does so, some at a time."`
}

type reportRebuild struct {
	accountFlags
}

// rebuiltReport is the answer of report rebuild.
type rebuiltReport struct {
	Customer    string              `json:"customer"`
	Environment gangway.Environment `json:"environment"`
	Rebuilt     bool                `json:"rebuilt"`
}

// Run writes the rows anew. A server may do a part of it.
func (c *reportRebuild) Run(t *terminal) error {
	in, account, err := c.scoped(t)
	if err != nil {
		return err
	}
	if err := in.RebuildReport(t.ctx); err != nil {
		return err
	}
	for {
		some, err := in.BuildReport(t.ctx)
		if err != nil {
			return interrupted(t.ctx, err)
		}
		if !some {
			break
		}
	}
	return c.print(t, rebuiltReport{account.Customer.ID, account.Environment, true},
		fmt.Sprintf("The report of %s, %s, was written anew.\n", account.Customer.Name, account.Environment))
}
