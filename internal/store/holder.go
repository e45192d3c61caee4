package store

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"gangway/internal/store/internal/lease"
)

// newNamedHolder identifies whoever takes something, for operators too: machine, process, and what nobody else has.
func newNamedHolder() string {
	machine, err := os.Hostname()
	if err != nil || machine == "" {
		return lease.NewHolder()
	}
	return strings.Join([]string{machine, strconv.Itoa(os.Getpid()), lease.NewHolder()}, "/")
}

// holderWords names the process of a holder; empty: nothing is known of it.
func holderWords(holder string) string {
	parts := strings.Split(holder, "/")
	if len(parts) != 3 {
		return ""
	}
	return fmt.Sprintf("%s, process %s", parts[0], parts[1])
}
