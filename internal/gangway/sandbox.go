package gangway

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// longestAhead is how far an account's clock can be ahead: as long as flights are sold for, with room to spare.
const longestAhead = 10 * 366 * 24 * time.Hour

// ErrDevelopmentOnly refuses the sandbox in production, to whatever role.
var ErrDevelopmentOnly = Errorf(Denied, "the sandbox is in development only: bookings in production are real")

// AdmitsSandbox returns why a cannot be played with: its bookings are real, or its supplier is not ours to
// move.
func (a Account) AdmitsSandbox() error {
	switch {
	case a.Environment != Development:
		return ErrDevelopmentOnly
	case a.Settings.Supplier != "":
		return Errorf(Conflict, "this account books with %s, whose bookings and clock nobody can move: the sandbox "+
			"needs the simulated network (gangway account supplier --supplier simulated)", a.Settings.Supplier)
	}
	return nil
}

// AdmitsSupplier returns why a cannot book with a supplier from now on: its clock is ahead of that of real
// airlines. Empty: the one that it books with.
func (a Account) AdmitsSupplier(name string) error {
	if a.ForwardFrom() == 0 || name == "" || name == "simulated" {
		return nil
	}
	return Errorf(Conflict, "the clock of this account was moved forward in the sandbox, by %s, and never goes back: "+
		"only the simulated network follows it. Take another customer's development account", a.AheadWords())
}

// ForwardFrom returns how far ahead of real time the next advance of the clock of a begins: where the one before ends.
func (a Account) ForwardFrom() time.Duration { return max(a.Ahead, a.AheadTo) }

// ForwardBy returns how far the clock of a is ahead of real time after another advance by d, in whole milliseconds.
func (a Account) ForwardBy(d time.Duration) (time.Duration, error) {
	if err := a.AdmitsSandbox(); err != nil {
		return 0, err
	}
	d = d.Truncate(time.Millisecond)
	switch {
	case d <= 0:
		return 0, Errorf(Invalid, "the clock only goes forward: by a duration such as 26h")
	case d > longestAhead-a.ForwardFrom():
		return 0, Errorf(Invalid, "the clock of an account can be ten years ahead of real time, and no more")
	}
	return a.ForwardFrom() + d, nil
}

// ParseForward reads by how much a clock is to go forward, such as "26h", "90m", "3d" or "1d12h".
func ParseForward(s string) (time.Duration, error) {
	wrong := Errorf(Invalid, "the clock only goes forward: by a time such as 26h, 90m or 3d, and ten years at most")
	s = strings.ReplaceAll(s, " ", "")
	whole, rest, inDays := strings.Cut(s, "d")
	if !inDays {
		whole, rest = "0", s
	}
	days, err := strconv.ParseUint(whole, 10, 16)
	if err != nil {
		return 0, wrong
	}
	d := time.Duration(days) * 24 * time.Hour
	if rest != "" {
		more, err := time.ParseDuration(rest)
		if err != nil || more < 0 {
			return 0, wrong
		}
		d += more
	}
	if d <= 0 {
		return 0, wrong
	}
	return d, nil
}

// AheadWords says how far the clock of a is ahead of real time, such as "4 days 4 h 1 min".
func (a Account) AheadWords() string {
	minutes := int(a.Ahead / time.Minute)
	var words []string
	for _, part := range []struct {
		n         int
		one, more string
	}{{minutes / 60 / 24, "day", "days"}, {minutes / 60 % 24, "h", "h"}, {minutes % 60, "min", "min"}} {
		switch {
		case part.n == 1:
			words = append(words, "1 "+part.one)
		case part.n > 1:
			words = append(words, fmt.Sprint(part.n, " ", part.more))
		}
	}
	if len(words) == 0 {
		return "less than a minute"
	}
	return strings.Join(words, " ")
}

// A SandboxState is what a booking of the sandbox is to come to: a state, or one of the two below.
type SandboxState string

// What bookings of the sandbox come to besides the states.
const (
	Changed  SandboxState = "changed"  // its flights were changed: change_pending, then issued
	Refunded SandboxState = "refunded" // its money came back: refund_pending, then cancelled
)

// SandboxStates lists all that bookings of the sandbox can come to.
func SandboxStates() (list []SandboxState) {
	for _, s := range States {
		list = append(list, SandboxState(s))
	}
	return append(list, Changed, Refunded)
}

// A Disruption is what an airline does to a flight by itself.
type Disruption string

// The disruptions.
const (
	FlightCancelled Disruption = "cancel"
	FlightDelayed   Disruption = "delay"  // by an hour and a half, on the day
	FlightRetimed   Disruption = "retime" // to two hours later, for good
)

// Disruptions lists all disruptions.
var Disruptions = []Disruption{FlightCancelled, FlightDelayed, FlightRetimed}
