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
		said, code := typedAt(t, typed, remove...)
		if code != 1 || !strings.Contains(said,
			"\ngangway: nothing was removed: what was typed is not the customer's name, Halcyon Tankers") {
			t.Errorf("%q ended with %d: %s; want nothing removed", typed, code, said)
		}
	}
	if said, code := typedAt(t, "", remove...); code != 1 ||
		!strings.Contains(said, "\ngangway: nothing was removed: the question was interrupted") {
		t.Errorf("an interruption ended with %d: %s; want nothing removed", code, said)
	}
	said, code := typedAt(t, "Halcyon Tankers\n", remove...)
	if code != 0 || !strings.Contains(said, "This would remove for good") || !strings.Contains(said, "Removed:") {
		t.Errorf("the name ended with %d: %s; want it removed", code, said)
	}
	if list := answer[[]map[string]any](t, "account", "list", "--database", database); len(list) != 0 {
		t.Errorf("the customers are %v; want none", list)
	}
}

// typedAt runs a command at a terminal of its own, types an answer when asked for a name, and
// returns everything on the screen. With nothing to type it is interrupted there.
func typedAt(t *testing.T, typed string, args ...string) (said string, code int) {
	t.Helper()
	screen, line := newTerminal(t)
	cmd := gangwayCommand(t, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = line, line, line
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
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
			if !asked && strings.HasSuffix(all.String(), "to remove it: ") {
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
	screen, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { screen.Close() })
	if err := unix.IoctlSetPointerInt(int(screen.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	number, err := unix.IoctlGetInt(int(screen.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	if line, err = os.OpenFile(fmt.Sprint("/dev/pts/", number), os.O_RDWR|unix.O_NOCTTY, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { line.Close() })
	return screen, line
}
