package duffel

import "gangway/internal/gangway"

// The names of an account's secrets for Duffel.
const (
	TokenSecret   = "duffel token"
	WebhookSecret = "duffel webhook"
)

// Connection says what an account has given for Duffel: the kind of its token ("none", "test" or "live"), and whether
// the secret of its webhook is known. secret returns a secret of the account by its name.
func Connection(secret func(name string) ([]byte, error)) (token string, webhook bool, err error) {
	text, err := secret(TokenSecret)
	switch token = "live"; {
	case gangway.KindOf(err) == gangway.NotFound:
		token = "none"
	case err != nil:
		return "", false, err
	case TestToken(string(text)):
		token = "test"
	}
	if _, err = secret(WebhookSecret); gangway.KindOf(err) == gangway.NotFound {
		return token, false, nil
	}
	return token, err == nil, err
}
