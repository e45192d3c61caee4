package feeds

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"gangway/internal/gangway"
	"gangway/internal/web/app/shell"
	"gangway/internal/wire"
)

// A Setting is a setting of a transport as it may be shown.
type Setting struct {
	Name, Value string
	Kept        bool // it, or a part of it, is secret: kept, and never shown
}

// SettingsOf lists the settings of a transport, in the order of names, those of objects by their
// path: "auth.user".
func SettingsOf(t gangway.Transport, names []string) []Setting {
	var open, secret map[string]any
	if json.Unmarshal(t.Settings, &open) != nil {
		return nil
	}
	_ = json.Unmarshal(t.Secrets, &secret) // there may be none
	list := listSettings(nil, "", open, secret)
	slices.SortStableFunc(list, func(a, b Setting) int {
		return placeIn(names, a.Name) - placeIn(names, b.Name)
	})
	return list
}

func listSettings(list []Setting, path string, open, secret map[string]any) []Setting {
	for _, name := range slices.Sorted(maps.Keys(open)) {
		_, kept := secret[name]
		s := Setting{Name: path + name, Kept: kept}
		switch value := open[name].(type) {
		case nil:
			s.Kept = true
		case map[string]any:
			below, _ := secret[name].(map[string]any)
			list = listSettings(list, path+name+".", value, below)
			continue
		case []any:
			words := gangway.Each(value, func(v any) string { return fmt.Sprint(v) })
			s.Value = strings.Join(words, ", ")
		default:
			s.Value = shell.ValueWords(value)
		}
		list = append(list, s)
	}
	return list
}

// placeIn is where a setting, or the object that it is in, is among the names.
func placeIn(names []string, setting string) int {
	name, _, _ := strings.Cut(setting, ".")
	if i := slices.Index(names, name); i >= 0 {
		return i
	}
	return len(names)
}

// formatWords says how a feed's documents are written.
func formatWords(f gangway.DocumentFormat) string {
	if f.Kind == "" || f.Kind == gangway.AutoFormat {
		return "found by itself"
	}
	return strings.Trim(string(wire.DocumentFormat(f)), `"`)
}
