package main

import (
	"bytes"
	"io"
	"os"
	"strings"

	"gangway/internal/gangway"
)

const (
	// longestSecret bounds the size of a secret.
	longestSecret = 4 << 10
	// longestCredentials bounds the size of credentials: a certificate may come with its chain.
	longestCredentials = 256 << 10
)

// readSecret reads the secret of a flag from a file, or from in if the file is "-".
func readSecret(flag, file string, in io.Reader) (string, error) {
	text, err := readPrivate(flag, file, in, longestSecret)
	if err != nil {
		return "", err
	}
	secret := strings.TrimSpace(text)
	if secret == "" {
		return "", gangway.Errorf(gangway.Invalid, "%s is empty", flag)
	}
	return secret, nil
}

// readCredentials reads credentials from a file, or from in if the file is "-", and returns the object that was
// there as well.
func readCredentials(file string, in io.Reader) (c gangway.CredentialsChange, doc []byte, err error) {
	text, err := readPrivate("--auth-file", file, in, longestCredentials)
	if err != nil {
		return c, nil, err
	}
	doc = bytes.TrimPrefix([]byte(text), []byte("\ufeff"))
	if c, err = gangway.ReadCredentials(doc); err != nil {
		return c, nil, gangway.Errorf(gangway.Invalid, "--auth-file: %v", err)
	}
	return c, doc, nil
}

// readPrivate reads what must not be on a command line, where everybody on the machine would see
// it.
func readPrivate(what, file string, in io.Reader, longest int64) (string, error) {
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return "", gangway.Errorf(gangway.Invalid, "%s cannot be read: %v", what, err)
		}
		defer f.Close()
		in = f
	}
	text, err := io.ReadAll(io.LimitReader(in, longest+1))
	if err != nil {
		return "", gangway.Errorf(gangway.Invalid, "%s cannot be read: %v", what, err)
	}
	if int64(len(text)) > longest {
		return "", gangway.Errorf(gangway.Invalid, "%s cannot be read: there are more than %d bytes", what, longest)
	}
	return string(text), nil
}
