package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"testing"

	"gangway/internal/store/storetest"

	"golang.org/x/sys/unix"
)

// Somebody at a terminal is asked for the customer's name, and only that name removes it.
func TestRemovalIsAskedForAtATerminal(t *testing.T) {
	database := storetest.EmptySQLiteURL(t)
	customer := answer[newCustomer](t, "account", "create", "Halcyon Tankers", "--database", database).Customer
	remove := []string{"customer", "remove", "--database", database, "--customer", customer}
	// What is typed may be the end of the input, too.
	for _, typed := range []string{"halcyon tankers\n", "yes\n", "no\n", "\n", "\x04"} {
		said, code := typedAt(t, "to remove it: ", typed, remove...)
		if code != 1 || !strings.Contains(said,
			"\ngangway: nothing was removed: what was typed is not the customer's name, Halcyon Tankers") {
			t.Errorf("%q ended with %d: %s; want nothing removed", typed, code, said)
		}
	}
	if said, code := typedAt(t, "to remove it: ", "", remove...); code != 1 ||
		!strings.Contains(said, "\ngangway: nothing was removed: the question was interrupted") {
		t.Errorf("an interruption ended with %d: %s; want nothing removed", code, said)
	}
	said, code := typedAt(t, "to remove it: ", "Halcyon Tankers\n", remove...)
	if code != 0 || !strings.Contains(said, "This would remove for good") || !strings.Contains(said, "Removed:") {
		t.Errorf("the name ended with %d: %s; want it removed", code, said)
	}
	if list := answer[[]map[string]any](t, "account", "list", "--database", database); len(list) != 0 {
		t.Errorf("the customers are %v; want none", list)
	}
}

// Somebody at a terminal is asked before an outlet sends elsewhere, or a secret ends that may still be checked with,
// and only a yes has it do so.
func TestAnotherAddressIsAskedForAtATerminal(t *testing.T) {
	database := storetest.EmptySQLiteURL(t)
	customer := answer[newCustomer](t, "account", "create", "Halcyon Tankers", "--database", database).Customer
	of := []string{"--database", database, "--customer", customer, "--environment", "production"}
	set := func(url string) []string { return append([]string{"outlet", "set", "--url", url}, of...) }
	const first, second = "https://93.184.216.34/crew", "https://93.184.216.35/crew"
	answer[outletSecret](t, set(first)...)
	for _, typed := range []string{"\n", "no\n", "yesterday\n", "\x04", ""} {
		said, code := typedAt(t, "[y/N] ", typed, set(second)...)
		if code != 1 || !strings.Contains(said, "Outlet default sends to "+first+". Send to "+second+" from now on?") ||
			!strings.Contains(said, "\ngangway: nothing was changed: outlet default goes on sending to "+first) {
			t.Errorf("%q ended with %d: %s; want nothing changed", typed, code, said)
		}
	}
	if said, code := typedAt(t, "[y/N] ", "Yes\n", set(second)...); code != 0 {
		t.Errorf("a yes ended with %d: %s; want it changed", code, said)
	}
	if list := answer[[]listedOutlet](t, append([]string{"outlet", "list"}, of...)...); list[0].To != second {
		t.Errorf("it sends to %s; want %s", list[0].To, second)
	}
	said, code := typedAt(t, "[y/N] ", "no\n", set(second+"?key=hush")...)
	if code != 1 || !strings.Contains(said, "Outlet default sends to "+second+", with another query than") ||
		strings.Contains(said, "hush") {
		t.Errorf("another query ended with %d: %s; want nothing changed, and nothing of it shown", code, said)
	}
	rotate := append([]string{"outlet", "rotate"}, of...)
	answer[outletSecret](t, rotate...)
	if said, code := typedAt(t, "[y/N] ", "no\n", rotate...); code != 1 || !strings.Contains(said, "Rotate again?") ||
		!strings.Contains(said, "\ngangway: nothing was changed: both secrets of outlet default stay valid") {
		t.Errorf("a second rotation ended with %d: %s; want nothing changed", code, said)
	}
	if said, code := typedAt(t, "[y/N] ", "y\n", rotate...); code != 0 || !strings.Contains(said, "whsec_") {
		t.Errorf("a yes to a second rotation ended with %d: %s; want a new secret", code, said)
	}
}

// typedAt runs a command at a terminal of its own, types an answer to a question that ends so, and returns
// everything on the screen. With nothing to type it is interrupted there.
func typedAt(t *testing.T, question, typed string, args ...string) (said string, code int) {
	t.Helper()
	screen, line := newTerminal(t)
	cmd := gangwayCommand(t, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = line, line, line
	must(t, cmd.Start())
	line.Close()
	asked, shown := false, make(chan string)
	go func() {
		var all strings.Builder
		for in := bufio.NewReader(screen); ; {
			c, err := in.ReadByte() // an error once the terminal is closed
			if err != nil {
				shown <- all.String()
				return
			}
			all.WriteByte(c)
			if !asked && strings.HasSuffix(all.String(), question) {
				asked = true
				screen.WriteString(typed)
				if typed == "" {
					cmd.Process.Signal(os.Interrupt)
				}
			}
		}
	}()
	_ = cmd.Wait() // its code says it
	return <-shown, cmd.ProcessState.ExitCode()
}

// newTerminal makes a pseudo-terminal: what is seen and typed, and the line that a program has.
func newTerminal(t *testing.T) (screen, line *os.File) {
	t.Helper()
	screen = sure(os.OpenFile("/dev/ptmx", os.O_RDWR, 0))(t)
	t.Cleanup(func() { screen.Close() })
	must(t, unix.IoctlSetPointerInt(int(screen.Fd()), unix.TIOCSPTLCK, 0))
	number := sure(unix.IoctlGetInt(int(screen.Fd()), unix.TIOCGPTN))(t)
	line = sure(os.OpenFile(fmt.Sprint("/dev/pts/", number), os.O_RDWR|unix.O_NOCTTY, 0))(t)
	t.Cleanup(func() { line.Close() })
	return screen, line
}
