package store

import "gangway/internal/gangway"

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

// openOutletSettings returns what sealOutletSettings was given.
func (s Scoped) openOutletSettings(outlet, text string) (gangway.SecretSettings, error) {
	if text == "" {
		return nil, nil
	}
	return s.open(credentialsColumn, outlet, text)
}
