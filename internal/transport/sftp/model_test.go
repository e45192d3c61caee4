package sftp

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"errors"
	"io"
	"net"
	"testing"

	"gangway/internal/calltest"
	"gangway/internal/transport/transporttest"

	"golang.org/x/crypto/ssh"
)

// A model is an SSH server in this process, for what OpenSSH's does not do.
type model struct {
	key      ssh.Signer
	password string                   // by password alone; see asks
	asks     bool                     // it asks for the password in a dialogue instead
	accepts  ssh.PublicKey            // by this key alone
	sftp     func(io.ReadWriteCloser) // serves files
}

func newKey(t *testing.T) (ed25519.PrivateKey, ssh.Signer) {
	t.Helper()
	_, private, err := ed25519.GenerateKey(rand.Reader)
	calltest.Done(t, err)
	signer := calltest.Must(ssh.NewSignerFromKey(private))(t)
	return private, signer
}

func encodeKey(t *testing.T, key ed25519.PrivateKey, passphrase string) string {
	t.Helper()
	block, err := ssh.MarshalPrivateKeyWithPassphrase(key, "", []byte(passphrase))
	if passphrase == "" {
		block, err = ssh.MarshalPrivateKey(key, "")
	}
	calltest.Done(t, err)
	return string(pem.EncodeToMemory(block))
}

// settings are those that fit the model.
func (m *model) settings(port int) map[string]any {
	return map[string]any{"host": "127.0.0.1", "port": port, "user": "crew", "password": m.password,
		"host_key": ssh.FingerprintSHA256(m.key.PublicKey())}
}

var errRefused = errors.New("wrong")

// serve starts the model and returns its port.
func (m *model) serve(t *testing.T) int {
	t.Helper()
	if m.key == nil {
		_, m.key = newKey(t)
	}
	config := &ssh.ServerConfig{}
	config.AddHostKey(m.key)
	check := func(password string) (*ssh.Permissions, error) {
		if password != m.password {
			return nil, errRefused
		}
		return nil, nil
	}
	switch {
	case m.accepts != nil:
		config.PublicKeyCallback = func(_ ssh.ConnMetadata, key ssh.PublicKey) (*ssh.Permissions, error) {
			if string(key.Marshal()) != string(m.accepts.Marshal()) {
				return nil, errRefused
			}
			return nil, nil
		}
	case m.asks:
		config.KeyboardInteractiveCallback = func(_ ssh.ConnMetadata, ask ssh.KeyboardInteractiveChallenge) (
			*ssh.Permissions, error) {
			answers, err := ask("", "", []string{"Password: "}, []bool{false})
			if err != nil || len(answers) != 1 {
				return nil, errRefused
			}
			return check(answers[0])
		}
	default:
		config.PasswordCallback = func(_ ssh.ConnMetadata, password []byte) (*ssh.Permissions, error) {
			return check(string(password))
		}
	}
	return transporttest.Listen(t, func(conn net.Conn) {
		_, channels, requests, err := ssh.NewServerConn(conn, config)
		if err != nil {
			return
		}
		go ssh.DiscardRequests(requests)
		for asked := range channels {
			channel, requests, err := asked.Accept()
			if err != nil {
				return
			}
			go func() {
				for r := range requests {
					r.Reply(r.Type == "subsystem" && m.sftp != nil, nil)
				}
			}()
			if m.sftp != nil {
				go m.sftp(channel)
			}
		}
	})
}
