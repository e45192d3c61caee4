package store

import (
	"encoding/json"

	"gangway/internal/gangway"
)

// sealOutletSettings returns how the settings of an outlet's transport that nobody may see are stored: as
// nothing if there are none. They are never stored in clear.
func (s Scoped) sealOutletSettings(o gangway.Outlet) (string, error) {
	if len(o.Transport.Secrets) == 0 {
		return "", nil
	}
	if s.db.sealer == nil {
		return "", noKey()
	}
	return s.seal(credentialsColumn, o.ID, o.Transport.Secrets), nil
}

// openOutletSettings returns what sealOutletSettings was given. Up to migration 42 credentials alone were
// sealed, as an object with their kind; no kind of transport has a setting of that name.
func (s Scoped) openOutletSettings(outlet, text string) (gangway.SecretSettings, error) {
	if text == "" {
		return nil, nil
	}
	doc, err := s.open(credentialsColumn, outlet, text)
	if err != nil {
		return nil, err
	}
	var alone struct{ Kind string }
	if json.Unmarshal(doc, &alone) == nil && alone.Kind != "" {
		doc = append(append([]byte(`{"auth":`), doc...), '}')
	}
	return doc, nil
}
