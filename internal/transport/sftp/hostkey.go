package sftp

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"net"
	"slices"
	"strings"

	"gangway/internal/gangway"

	"golang.org/x/crypto/ssh"
)

// hostKeys are the server's, any of which it may show.
type hostKeys []hostKey

// A hostKey is a public key, or what is known of it.
type hostKey struct {
	key         ssh.PublicKey // nil: only the fingerprint is known
	fingerprint string        // SHA256:…
}

// parseHostKeys reads keys, one a line: as in known_hosts, with or without the host's name,
// or as ssh-keygen -l prints them.
func parseHostKeys(text string) (keys hostKeys, err error) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		key, ok := parseHostKey(strings.Fields(line))
		if !ok {
			return nil, gangway.Errorf(gangway.Invalid, "host_key must be the server's public key as in known_hosts "+
				"(ssh-ed25519 AAAA…), or its fingerprint (SHA256:…)")
		}
		keys = append(keys, key)
	}
	return keys, nil
}

func parseHostKey(words []string) (hostKey, bool) {
	for i, word := range words {
		if sum, is := strings.CutPrefix(word, "SHA256:"); is {
			sum = strings.TrimRight(sum, "=")
			decoded, err := base64.RawStdEncoding.DecodeString(sum)
			return hostKey{fingerprint: "SHA256:" + sum}, err == nil && len(decoded) == 32
		}
		if i+1 == len(words) {
			break
		}
		if blob, err := base64.StdEncoding.DecodeString(words[i+1]); err == nil {
			if key, err := ssh.ParsePublicKey(blob); err == nil && key.Type() == word {
				return hostKey{key, ssh.FingerprintSHA256(key)}, true
			}
		}
	}
	return hostKey{}, false
}

// A hostKeyError refuses a server's key.
type hostKeyError struct {
	met  ssh.PublicKey
	none bool // no key is known
}

func (e *hostKeyError) Error() string {
	met := e.met.Type() + " " + ssh.FingerprintSHA256(e.met)
	if e.none {
		return "host_key is missing, so nobody knows whether this is the customer's server: it showed the key " + met +
			`; if the server's administrators confirm it, set "host_key": "` + ssh.FingerprintSHA256(e.met) + `"`
	}
	return fmt.Sprintf("the server showed the key %s, which is not host_key: it is another server, or its key was "+
		"changed; nothing was sent to it", met)
}

// check implements ssh.HostKeyCallback.
func (k hostKeys) check(_ string, _ net.Addr, met ssh.PublicKey) error {
	for _, key := range k {
		if key.key != nil && bytes.Equal(key.key.Marshal(), met.Marshal()) ||
			key.key == nil && key.fingerprint == ssh.FingerprintSHA256(met) {
			return nil
		}
	}
	return &hostKeyError{met, len(k) == 0}
}

// keyTypes are the types of host keys, the usual one first.
var keyTypes = [][]string{
	{ssh.KeyAlgoED25519},
	{ssh.KeyAlgoECDSA256, ssh.KeyAlgoECDSA384, ssh.KeyAlgoECDSA521},
	{ssh.KeyAlgoRSASHA512, ssh.KeyAlgoRSASHA256},
}

// anyType reports whether a key of any type may be the right one.
func (k hostKeys) anyType() bool {
	return slices.ContainsFunc(k, func(key hostKey) bool { return key.key == nil })
}

// types returns the types of keys to ask a server for.
func (k hostKeys) types() (types []string) {
	if len(k) == 0 || k.anyType() {
		return slices.Concat(keyTypes...)
	}
	for _, key := range k {
		name := key.key.Type()
		if name == ssh.KeyAlgoRSA {
			types = append(types, ssh.KeyAlgoRSASHA512, ssh.KeyAlgoRSASHA256) // with the same key
			continue
		}
		types = append(types, name)
	}
	return types
}
