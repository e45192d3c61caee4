// Gangway books the travel of crews and keeps their companies' systems informed.
//
// This is the program: its commands, and the only place where all packages
// meet. One file per command; what the commands have in common is in
// command.go, and serve.go wires the packages together.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"os"
	"os/signal"
	"reflect"
	"strings"
	"syscall"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"

	"github.com/alecthomas/kong"
)

// commands is the command line. Every flag also has an environment variable,
// GANGWAY_ and its name.
type commands struct {
	Serve          serveCommand          `cmd:"" help:"Serve the web application and the integration surface."`
	Demo           demoCommand           `cmd:"" help:"Look around: a customer, its people and a crewing system of its own, on a fresh database."`
	Account        accountCommand        `cmd:"" help:"Customers, each with a production and a development account."`
	Customer       customerCommand       `cmd:"" help:"Remove a customer."`
	Traveller      travellerCommand      `cmd:"" help:"Find, export or erase a person who travels."`
	ReportLogin    reportLoginCommand    `cmd:"" help:"Names and passwords under which a customer's report is read."`
	Report         reportCommand         `cmd:"" help:"A customer's report."`
	Key            keyCommand            `cmd:"" help:"API keys of a customer's programs."`
	User           userCommand           `cmd:"" help:"People who sign in to the web application."`
	Audit          auditCommand          `cmd:"" help:"Say who did what, when and from where."`
	Flights        flightsCommand        `cmd:"" help:"Search the simulated airline network, without a database."`
	Outlet         outletCommand         `cmd:"" help:"Where the bookings of a customer go: addresses, file servers, folders and mails."`
	Feed           feedCommand           `cmd:"" help:"Ways in for a customer's records: what is fetched from its systems, and how."`
	Backup         backupCommand         `cmd:"" help:"Copy the database to a file while servers go on."`
	Restore        restoreCommand        `cmd:"" help:"Make an empty database of a copy, and compare it with the suppliers."`
	Check          checkCommand          `cmd:"" help:"Examine a customer's system (--url, --feed): call it as Gangway does, and say what to mend. Or examine this installation (--installation)."`
	Planned        plannedCommand        `cmd:"" help:"What is planned for a day: travel requests and crew changes."`
	Retention      retentionCommand      `cmd:"" help:"Show how much is kept of what, for how long, and what other settings would remove."`
	Sample         sampleCommand         `cmd:"" help:"Bookings that were made up, for a report worth looking at."`
	Sandbox        sandboxCommand        `cmd:"" help:"Make things happen in a development account."`
	SampleCustomer sampleCustomerCommand `cmd:"" help:"An invented customer's crewing system, to try Gangway with."`
	Verify         verifyCommand         `cmd:"" help:"Say whether the database is as it must be: bookings, actions, deliveries, money, report, audit log."`
	Migrate        migrateCommand        `cmd:"" help:"Bring the database's schema up to date before a server starts."`
	Completion     completionCommand     `cmd:"" help:"Print a script with which a shell completes commands and flags."`
	Version        versionCommand        `cmd:"" help:"Say which Gangway this is, and on which schemas of databases it runs (also: gangway --version)."`
}

const description = `Gangway books flights for crews: travellers, travel requests and crew changes come in from a customer's systems, people book with them, and every booking goes back.

To look around:

    gangway demo

To begin:

    gangway serve --database sqlite:gangway.db
    gangway account create "Halcyon Tankers" --database sqlite:gangway.db

A database is named sqlite:PATH or postgres://…. Every flag can be given as an environment variable instead: GANGWAY_DATABASE is --database, GANGWAY_ALLOW_NETWORK is --allow-network.

A command ends with 0 when it was done, with 1 and one sentence when it was refused or failed, and with 2 when the command line is wrong.`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // the second signal ends the program at once
	t := &terminal{ctx: ctx, in: os.Stdin, out: os.Stdout, err: os.Stderr, now: time.Now}
	err := run(t, os.Args[1:])
	if err != nil {
		printError(os.Stderr, err, wantsJSON(os.Args))
	}
	os.Exit(exitCode(err))
}

// A usageError says that a command line is wrong as written, whatever is in the database.
// Nothing was begun.
type usageError struct{ error }

// Unwrap keeps the kind of the error.
func (e usageError) Unwrap() error { return e.error }

func wrongUsage(format string, args ...any) error {
	return usageError{gangway.Errorf(gangway.Invalid, format, args...)}
}

// A checker is a command whose flags and arguments have rules beyond their types. Whatever
// check refuses is a wrong command line. It does not use the database; errors from there do
// not make a command line wrong.
type checker interface{ check() error }

// exitCode tells scripts how a command ended: 0 it was done, 1 it was refused or failed, 2 the
// command line is wrong and would be wrong again.
func exitCode(err error) int {
	switch wrong := (usageError{}); {
	case err == nil:
		return 0
	case errors.As(err, &wrong):
		return 2
	}
	return 1
}

// A terminal is what a command uses of the outside world.
type terminal struct {
	ctx  context.Context // done when the program is told to stop
	in   io.Reader
	out  io.Writer
	err  io.Writer
	now  func() time.Time
	name string // of the program and its command, as in "gangway account list"

	opened []*store.DB // by the command; closed when it has ended
}

// run carries out one command line. Its error is one sentence.
func run(t *terminal, args []string) error {
	parser, err := kong.New(&commands{},
		kong.Name("gangway"),
		kong.Description(description),
		kong.DefaultEnvars("GANGWAY"),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, FlagsLast: true, WrapUpperBound: 110}),
		kong.Writers(t.out, t.err),
		kong.TypeMapper(reflect.TypeFor[netip.Prefix](), kong.MapperFunc(readNetwork)),
	)
	if err != nil {
		return err
	}
	if len(args) == 0 {
		return helpWithout(parser, t)
	}
	command, err := parser.Parse(asParsed(args))
	if wrong := (*kong.ParseError)(nil); errors.As(err, &wrong) {
		return usageError{fmt.Errorf("%w (%s --help says more)", err,
			strings.Join(append([]string{"gangway"}, selected(wrong.Context)...), " "))}
	}
	if err != nil {
		return err
	}
	if name := emptyFlag(command); name != "" {
		return wrongUsage("--%s was given without a value", name)
	}
	if c, ok := command.Selected().Target.Addr().Interface().(checker); ok {
		if err := c.check(); err != nil {
			return usageError{err}
		}
	}
	t.name = strings.Join(append([]string{"gangway"}, selected(command)...), " ")
	defer func() {
		for _, db := range t.opened {
			db.Close()
		}
	}()
	return command.Run(t)
}

// readNetwork reads a network, because the parser's own errors are not meant for operators.
func readNetwork(c *kong.DecodeContext, into reflect.Value) error {
	var text string
	if err := c.Scan.PopValueInto("network", &text); err != nil {
		return err
	}
	network, err := netip.ParsePrefix(text)
	if err != nil {
		return fmt.Errorf("%q is not a network such as 10.20.0.0/16 or 127.0.0.1/32", text)
	}
	into.Set(reflect.ValueOf(network))
	return nil
}

// helpWithout prints the help when no command is given. It is an error nevertheless, so that a
// script with an empty variable does not continue.
func helpWithout(parser *kong.Kong, t *terminal) error {
	parser.Stdout = t.err
	command, err := kong.Trace(parser, nil)
	if err != nil {
		return err
	}
	if err := command.PrintUsage(false); err != nil {
		return err
	}
	return wrongUsage("no command was given")
}

// emptyFlag names a flag that was given an empty value, as --customer "$CUSTOMER" is if the
// variable is not set. It would count as not given: policies would stay unchanged, and lists
// would show every customer's.
func emptyFlag(c *kong.Context) string {
	for _, p := range c.Path {
		if p.Flag != nil && p.Flag.Target.Kind() == reflect.String && p.Flag.Target.String() == "" {
			return p.Flag.Name
		}
	}
	return ""
}

// asParsed turns "help" and "help serve" into the flag --help, and --version into its command.
func asParsed(args []string) []string {
	switch {
	case args[0] == "help":
		return append(args[1:len(args):len(args)], "--help")
	case args[0] == "--version":
		return append([]string{"version"}, args[1:]...)
	}
	return args
}

// selected returns the commands that were understood, up to the mistake if there is one.
func selected(c *kong.Context) []string {
	var names []string
	for _, p := range c.Path {
		if p.Command != nil {
			names = append(names, p.Command.Name)
		}
	}
	return names
}
