package gangway_test

import (
	"bytes"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"gangway/internal/calltest"
	"gangway/internal/gangway"
	"gangway/internal/transport/transporttest"
)

// read applies a document to credentials kept until now.
func read(doc string, kept gangway.Credentials) (gangway.Credentials, error) {
	change, err := gangway.ReadCredentials([]byte(doc))
	if err != nil {
		return gangway.Credentials{}, err
	}
	return change.Over(kept)
}

func object(t *testing.T, members map[string]string) string {
	t.Helper()
	doc := calltest.Must(json.Marshal(members))(t)
	return string(doc)
}

func TestReadCredentials(t *testing.T) {
	for doc, want := range map[string]gangway.Credentials{
		`{"kind": "none"}`: {Kind: "none"},
		`{"kind": "basic", "user": "crew", "password": "tide: tables"}`: {Kind: "basic", User: "crew",
			Password: "tide: tables"},
		`{"kind": "basic", "user": "key-1", "password": ""}`:      {Kind: "basic", User: "key-1"},
		`{"kind": "basic", "user": "bjørn", "password": "lösen"}`: {Kind: "basic", User: "bjørn", Password: "lösen"},
		`{"kind": "bearer", "token": "1|aB-c._~+/=="}`:            {Kind: "bearer", Token: "1|aB-c._~+/=="},

		"\ufeff" + `{"kind": "bearer", "token": "t", "user": null}` + "\r\n": {Kind: "bearer", Token: "t"},

		`{"kind": "header", "name": "X-Api-Key", "value": "k 1"}`: {Kind: "header", Name: "X-Api-Key", Value: "k 1"},
		`{"kind": "header", "name": "authorization", "value": "ApiKey k"}`: {Kind: "header", Name: "authorization",
			Value: "ApiKey k"},
	} {
		if got, err := read(doc, gangway.Credentials{}); err != nil || got != want {
			t.Errorf("%s = %s, %v; want it taken as written", doc, got, err)
		}
	}
	refused := map[string][]string{
		"auth must be one JSON object": {``, `hunter2`, `["hunter2"]`, `{"kind": "bearer", "token": "hunter2"`,
			`{"kind": "bearer", "token": "hunter2"} {}`, "{\"kind\": \"bearer\", \"token\": \"hunter2\xff\"}"},
		"auth.kind must be": {`{"token": "hunter2"}`, `{"kind": "Basic", "user": "hunter2"}`,
			`{"kind": "digest", "user": "hunter2"}`},
		"auth has a member that is none of kind, user":     {`{"kind": "basic", "hunter2": "p"}`},
		"auth.token is there twice":                        {`{"kind": "bearer", "token": "a", "token": "hunter2"}`},
		"auth.password does not belong to the kind none":   {`{"kind": "none", "password": "hunter2"}`},
		"auth.password does not belong to the kind bearer": {`{"kind": "bearer", "token": "t", "password": "hunter2"}`},
		"auth.token must be a text": {`{"kind": "bearer", "token": ["hunter2"]}`,
			`{"kind": "bearer", "token": 12345678}`},
		"auth.user is missing": {`{"kind": "basic", "password": "hunter2"}`,
			`{"kind": "basic", "user": "", "password": "hunter2"}`},
		"auth.user must not have a colon":          {`{"kind": "basic", "user": "a:b", "password": "hunter2"}`},
		"auth.user must not have a line break":     {`{"kind": "basic", "user": "a\r\nb", "password": "hunter2"}`},
		"auth.password is missing":                 {`{"kind": "basic", "user": "u"}`},
		"auth.password must not have a line break": {`{"kind": "basic", "user": "u", "password": "hunter2\n"}`},
		"auth.token is missing":                    {`{"kind": "bearer"}`, `{"kind": "bearer", "token": ""}`},
		"auth.token must be the token alone": {`{"kind": "bearer", "token": "hunter2\n"}`,
			`{"kind": "bearer", "token": "hunter2ø"}`},
		"auth.token has more than": {`{"kind": "bearer", "token": "` + strings.Repeat("hunter2", 2000) + `"}`},
		"auth.value is missing":    {`{"kind": "header", "name": "X-Api-Key"}`},
		"auth.name is missing":     {`{"kind": "header", "value": "hunter2"}`},
		"auth.name must be the name of a header": {`{"kind": "header", "name": "X Api", "value": "hunter2"}`,
			`{"kind": "header", "name": "X-Api:", "value": "hunter2"}`,
			`{"kind": "header", "name": "X-Åpi", "value": "hunter2"}`,
			`{"kind": "header", "name": "X-A\r\nHost", "value": "hunter2"}`},
		"auth.value must be of printable ASCII": {
			`{"kind": "header", "name": "X-Api-Key", "value": "a\r\nHost: hunter2"}`,
			`{"kind": "header", "name": "X-Api-Key", "value": "hunter2\u0000"}`},
		"without blanks at its ends": {`{"kind": "header", "name": "X-Api-Key", "value": "hunter2 "}`},

		`without blanks, line breaks and the word "Bearer"`: {`{"kind": "bearer", "token": "Bearer hunter2"}`},
	}
	for _, name := range strings.Fields("Host content-length Content-Type Transfer-Encoding Connection TE Trailer " +
		"Upgrade Expect User-Agent Webhook-Signature webhook-id Proxy-Authorization If-None-Match Range") {
		refused["auth.name must not be "+name] = []string{`{"kind": "header", "name": "` + name +
			`", "value": "hunter2"}`}
	}
	for says, docs := range refused {
		for _, doc := range docs {
			_, err := read(doc, gangway.Credentials{})
			if gangway.KindOf(err) != gangway.Invalid || !strings.Contains(err.Error(), says) ||
				strings.Contains(err.Error(), "hunter2") {
				t.Errorf("%s = %v; want %q, without the secret", doc, err, says)
			}
		}
	}
}

func TestCredentialsKept(t *testing.T) {
	basic := gangway.Credentials{Kind: "basic", User: "crew", Password: "tides"}
	tests := []struct {
		name, doc string
		kept      gangway.Credentials
		want      gangway.Credentials
		says      string
	}{
		{"all of them", `{"kind": "basic"}`, basic, basic, ""},
		{"the password, beside another user", `{"kind": "basic", "user": "fleet"}`, basic,
			gangway.Credentials{Kind: "basic", User: "fleet", Password: "tides"}, ""},
		{"the password, where it is null", `{"kind": "basic", "user": "crew", "password": null}`, basic, basic, ""},
		{"not the password, where it is empty", `{"kind": "basic", "user": "crew", "password": ""}`, basic,
			gangway.Credentials{Kind: "basic", User: "crew"}, ""},
		{"nothing of another kind", `{"kind": "bearer"}`, basic, gangway.Credentials{}, "auth.token is missing"},
		{"nothing of another kind that is whole", `{"kind": "bearer", "token": "t"}`, basic,
			gangway.Credentials{Kind: "bearer", Token: "t"}, ""},
		{"nothing, by none", `{"kind": "none"}`, basic, gangway.Credentials{Kind: "none"}, ""},
	}
	for _, tt := range tests {
		got, err := read(tt.doc, tt.kept)
		if tt.says == "" && (err != nil || got != tt.want) || tt.says != "" &&
			(err == nil || !strings.Contains(err.Error(), tt.says)) {
			t.Errorf("%s: %s = %s, %v", tt.name, tt.doc, got, err)
		}
	}
	if got, err := (gangway.CredentialsChange{}).Over(basic); got != basic || err != nil {
		t.Errorf("nothing given = %s, %v; want the kept credentials", got, err)
	}
}

// TestClientCertificates reads certificates and keys as people have them in files.
func TestClientCertificates(t *testing.T) {
	authority := calltest.Must(transporttest.NewAuthority())(t)
	now := time.Now()
	certificate, key := authority.Issue(t, now.AddDate(0, 3, 0), x509.ExtKeyUsageClientAuth)
	_, other := authority.Issue(t, now.AddDate(0, 3, 0), x509.ExtKeyUsageClientAuth)
	_, edwards, err := ed25519.GenerateKey(nil)
	calltest.Done(t, err)
	der := calltest.Must(x509.MarshalPKCS8PrivateKey(edwards))(t)
	otherKind := string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}))
	locked := string(pem.EncodeToMemory(&pem.Block{Type: "ENCRYPTED PRIVATE KEY", Bytes: der}))
	oldLocked := string(pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY",
		Headers: map[string]string{"Proc-Type": "4,ENCRYPTED"}, Bytes: der}))
	tests := []struct{ name, certificate, key, says string }{
		{"a pair", certificate, key, ""},
		{"a chain", "Bag Attributes\n" + certificate + authority.Certificate, key, ""},
		{"lines that end as on Windows", strings.ReplaceAll(certificate, "\n", "\r\n"), strings.ReplaceAll(key, "\n",
			"\r\n"), ""},
		{"a chain in the wrong order", authority.Certificate + certificate, key,
			"auth.key is not the key of the certificate in auth.certificate, which must be the first"},
		{"the key of another certificate", certificate, other, "auth.key is not the key of the certificate"},
		{"a key of another kind", certificate, otherKind, "auth.key is not the key of the certificate"},
		{"a locked key", certificate, locked, "auth.key is locked by a pass phrase"},
		{"a key locked in the old format", certificate, oldLocked, "auth.key is locked by a pass phrase"},
		{"no certificate", "", key, "auth.certificate is missing"},
		{"no key", certificate, "", "auth.key is missing"},
		{"base64 alone", "MIIB", key, "auth.certificate must be PEM"},
		{"the key where the certificate belongs", key, certificate, "auth.certificate must not hold the private key"},
		{"the certificate again where the key belongs", certificate, certificate,
			"auth.key must be PEM with one private key"},
		{"two keys", certificate, key + other, "auth.key must be PEM with one private key"},
		{"a damaged certificate", string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})), key,
			"auth.certificate holds a certificate that cannot be read"},
		{"a damaged key", certificate, string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der[:8]})),
			"auth.key cannot be read"},
		{"far too much text", strings.Repeat(certificate, 200), key, "auth.certificate has more than"},
	}
	for _, tt := range tests {
		_, err := read(object(t, map[string]string{"kind": "certificate", "certificate": tt.certificate,
			"key": tt.key}), gangway.Credentials{})
		if tt.says == "" && err != nil || tt.says != "" && (err == nil || !strings.Contains(err.Error(), tt.says)) {
			t.Errorf("%s: %v; want %q", tt.name, err, tt.says)
		}
	}

	t.Run("a renewed certificate may go with the kept key", func(t *testing.T) {
		kept := gangway.Credentials{Kind: "certificate", Certificate: certificate, Key: key}
		chain := certificate + authority.Certificate
		got, err := read(object(t, map[string]string{"kind": "certificate", "certificate": chain}), kept)
		if err != nil || got.Certificate != chain || got.Key != key {
			t.Errorf("it is %s, %v; want the new certificate and the kept key", got, err)
		}
		foreign, _ := authority.Issue(t, now.AddDate(0, 3, 0), x509.ExtKeyUsageClientAuth)
		if _, err := read(object(t, map[string]string{"kind": "certificate", "certificate": foreign}), kept); err ==
			nil {
			t.Error("a certificate for another key was accepted with the kept key")
		}
	})
	t.Run("there is a warning before it expires", func(t *testing.T) {
		for _, tt := range []struct {
			until time.Time
			usage x509.ExtKeyUsage
			says  string
		}{
			{now.AddDate(0, 3, 0), x509.ExtKeyUsageClientAuth, ""},
			{now.AddDate(0, 0, 10), x509.ExtKeyUsageClientAuth, "the client certificate expires on "},
			{now.AddDate(0, 0, -1), x509.ExtKeyUsageClientAuth, "the client certificate expired on "},
			{now.AddDate(0, 3, 0), x509.ExtKeyUsageServerAuth, "was not issued for clients"},
		} {
			certificate, key := authority.Issue(t, tt.until, tt.usage)
			c, err := read(object(t, map[string]string{"kind": "certificate", "certificate": certificate, "key": key}),
				gangway.Credentials{})
			calltest.Done(t, err)
			said := strings.Join(c.Warnings(now), "; ")
			if !strings.Contains(said, tt.says) || (tt.says == "") != (said == "") {
				t.Errorf("Warnings = %q; want %q", said, tt.says)
			}
		}
	})
}

// TestCredentialsAreNotShown prints, logs and encodes values that contain
// credentials, in every way that could happen by mistake.
func TestCredentialsAreNotShown(t *testing.T) {
	c := gangway.Credentials{Kind: "basic", User: "hunter2", Password: "hunter2", Token: "hunter2", Name: "hunter2",
		Value: "hunter2", Certificate: "hunter2", Key: "hunter2"}
	holder := struct{ Credentials gangway.Credentials }{c}
	var out bytes.Buffer
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d", "%t"} {
		fmt.Fprintf(&out, verb+verb+verb+verb, c, &c, holder, &holder)
	}
	for _, h := range []slog.Handler{slog.NewTextHandler(&out, nil), slog.NewJSONHandler(&out, nil)} {
		slog.New(h).Info("outlet", "credentials", c, "pointer", &c, "outlet", holder, "outlets",
			[]any{&holder})
	}
	doc, err := json.Marshal(map[string]any{"outlet": holder, "credentials": &c})
	if err != nil || !strings.Contains(string(doc), `"credentials":{"kind":"basic"}`) {
		t.Errorf("in JSON it is %s, %v; want the kind", doc, err)
	}
	if said := out.String() + string(doc); strings.Contains(said, "hunter2") ||
		strings.Contains(said, fmt.Sprintf("%x", "hunter2")) || !strings.Contains(said, "basic") {
		t.Errorf("the output was:\n%s", said)
	}
}
