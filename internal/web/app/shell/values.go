package shell

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// TookWords says how long something took.
func TookWords(d time.Duration) string {
	switch {
	case d < time.Millisecond:
		return "<1 ms"
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < time.Minute:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d < time.Hour:
		return fmt.Sprintf("%d min %02d s", int(d.Minutes()), int(d.Seconds())%60)
	}
	return Duration(d)
}

// ValueWords writes a value of a setting for people.
func ValueWords(value any) string {
	switch value := value.(type) {
	case nil:
		return "none"
	case bool:
		return map[bool]string{true: "yes", false: "no"}[value]
	case float64:
		return strconv.FormatFloat(value, 'f', -1, 64)
	}
	return fmt.Sprint(value)
}

// SizeWords writes a number of bytes.
func SizeWords(n int64) string {
	switch {
	case n < 1<<10:
		return Plural(int(n), "byte", "bytes")
	case n < 1<<20:
		return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
}

// Plain writes a name of the interface in words: "no_show" as "no show".
func Plain[T ~string](name T) string { return strings.ReplaceAll(string(name), "_", " ") }
