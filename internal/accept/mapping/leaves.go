package mapping

import (
	"encoding/json"
	"fmt"
	"strings"

	"gangway/internal/gangway"
)

// leavesOf returns the values of a record that the interface names, by their paths.
func leavesOf(record []byte, flow gangway.Flow) map[string]any {
	var value any
	leaves := map[string]any{}
	if json.Unmarshal(record, &value) == nil {
		addLeaves(leaves, value, shapes[flow], "")
	}
	return leaves
}

func addLeaves(to map[string]any, value any, f *field, path string) {
	switch v := value.(type) {
	case map[string]any:
		for name, inside := range v {
			if _, m := f.member(name); m != nil {
				addLeaves(to, inside, m, strings.TrimPrefix(path+"."+name, "."))
			}
		}
	case []any:
		for i, inside := range v {
			of := f.each
			if of == nil {
				of = &field{}
			}
			addLeaves(to, inside, of, fmt.Sprintf("%s[%d]", path, i))
		}
	default:
		to[path] = value
	}
}
