package transport

import (
	"encoding/json"
	"maps"
	"slices"

	"gangway/internal/gangway"
)

// GoBack returns the settings that result when somebody goes back to earlier ones, of
// which only what may be shown is known, while those kept are whole: secrets are those
// kept. Invalid: the earlier ones had a secret that is not kept any more, or those kept
// would be shown to another system than they were given for.
func (k Kind) GoBack(kept, shown json.RawMessage) (json.RawMessage, error) {
	before, after := must(kept), must(shown)
	if lost := lostSecret("", k.Settings, before, after); lost != "" {
		return nil, gangway.Errorf(gangway.Invalid, "%s was secret and is not kept any more: it has to be given again",
			lost)
	}
	return k.Change(kept, shown)
}

// lostSecret names the first secret of settings that were shown which is not among those
// kept; it is empty where there is none. Of an address it is not known whether it had a
// query: one that is kept for another address may have been that of both.
func lostSecret(path string, table []Setting, kept, shown members) string {
	for _, name := range slices.Sorted(maps.Keys(shown)) {
		old, new := kept[name], shown[name]
		i := slices.IndexFunc(table, func(s Setting) bool { return s.Name == name })
		if isNull(new) {
			if isNull(old) {
				return path + name
			}
			continue
		}
		if i >= 0 && table[i].Secret == InURL && !isNull(old) && !sameText(withoutSecrets(old), old) &&
			!sameText(withoutSecrets(old), new) {
			return "the query or the password of " + path + name
		}
		if inner, err := readObject(new); err == nil {
			var below []Setting
			if i >= 0 {
				below = table[i].Members
			}
			if lost := lostSecret(path+name+".", below, must(old), inner); lost != "" {
				return lost
			}
		}
	}
	return ""
}
