package kinds_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/transport"
	"gangway/internal/transport/kinds"
	"gangway/internal/transport/transporttest"
)

// What a delivery would meet is said when an outlet is set up: a refusal, or a warning.
func TestReach(t *testing.T) {
	const nowhere = `{"host":"sftp.nowhere.invalid","user":"u","password":"tide","host_key":"SHA256:` +
		`nThbg6kXUpJWGl7E1IGOCspRomTxdCARLviKw6E5SY8"}`
	warnings, err := kinds.Outlets[1].Reach(t.Context(), json.RawMessage(nowhere), transport.Options{}, time.Now())
	if err != nil || len(warnings) != 1 || !strings.Contains(warnings[0], "sftp.nowhere.invalid is not known") {
		t.Errorf("Reach = %q, %v; want the unknown name accepted with a warning", warnings, err)
	}
	transporttest.NamesLeadHome(t)
	for _, tt := range []struct {
		kind, settings string
		allow          bool
		refuses, warns string
	}{
		{"sftp", `{"host":"10.0.0.5","user":"u","password":"tide"}`, false, "host: the address lies in a network", ""},
		{"sftp", `{"host":"127.0.0.1","user":"u","password":"tide"}`, true, "", "host_key is missing"},
		{"sftp", `{"host":"sftp.customer.example","user":"u","password":"tide"}`, false, "host: the address lies in", ""},
		{"ftps", `{"host":"192.168.1.5","user":"u","password":"tide"}`, false, "host: the address lies in a network", ""},
		{"ftps", `{"host":"127.0.0.1","user":"u","password":"tide"}`, true, "", ""},
		{"ftp", `{"host":"127.0.0.1","user":"u","password":"tide"}`, true, "", "in clear"},
		{"sftp", `{"host":"8.8.8.8","port":2222,"user":"u","password":"tide"}`, false, "", "host_key is missing"},
		{"sftp", `{"host":"8.8.8.8","port":21,"user":"u","password":"tide"}`, false, "port: below 1024 only the usual", ""},
		{"ftp", `{"host":"8.8.8.8","port":25,"user":"u","password":"tide"}`, false, "port: below 1024 only the usual", ""},
		{"ftp", `{"host":"a\nb","user":"u","password":"tide"}`, false, "host must be one line", ""},
		{"sftp", `{"host":"a.example","user":"u","password":"tide","path":"a\nb"}`, false, "path must be one line", ""},
		{"folder", `{"path":"/tmp\n"}`, false, "path must be one line", ""},
		{"ftps", `{"host":"127.0.0.1","port":25,"user":"u","password":"tide"}`, true, "", ""},
		{"folder", `{"path":"/nowhere/at/all"}`, false, "", "no such file or directory: until it can"},
		{"folder", `{"path":"/tmp"}`, false, "", ""},
		{"mail", `{"to":"crewing@example.com"}`, false, "", "--smtp"},
	} {
		k := kinds.Outlets[slices.IndexFunc(kinds.Outlets, func(k transport.Kind) bool { return k.Name == tt.kind })]
		var o transport.Options
		if tt.allow {
			o.Allow = transporttest.Loopback
		}
		warnings, err := k.Reach(t.Context(), json.RawMessage(tt.settings), o, time.Now())
		if said := strings.Join(warnings, "\n"); tt.refuses == "" &&
			(err != nil || !strings.Contains(said, tt.warns) || (said == "") != (tt.warns == "")) {
			t.Errorf("Reach(%s %s) = %q, %v; want a warning with %q", tt.kind, tt.settings, said, err, tt.warns)
		}
		if tt.refuses != "" && (gangway.KindOf(err) != gangway.Invalid || !strings.Contains(err.Error(), tt.refuses)) {
			t.Errorf("Reach(%s %s) = %v; want it refused with %q", tt.kind, tt.settings, err, tt.refuses)
		}
	}
}
