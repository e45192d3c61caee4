package main

import (
	"slices"
	"strings"
	"testing"
)

// TestWarningsAtStart holds what a server warns of when it starts, and that it warns of nothing else.
func TestWarningsAtStart(t *testing.T) {
	proxied := serveCommand{Listen: "127.0.0.1:8080", AppURL: "https://crew.example", Connections: 2048,
		BaseURL: "https://api.crew.example", ReportingURL: "https://crew.example/reporting"}
	inside, few, secure := proxied, proxied, proxied
	inside.ReportingURL, few.Connections = "http://127.0.0.1:8080/reporting", 100
	secure.TLSCert, secure.TLSKey, secure.AppURL = "cert.pem", "key.pem", "http://crew.example"
	for _, tt := range []struct {
		what    string
		serve   serveCommand
		environ []string
		files   uint64
		want    string // of the only warning; empty: there is none
	}{
		{"nothing", proxied, []string{"HOME=/", "GANGWAY_DATABASE=x", "GANGWAY_TRUSTED_PROXY=x",
			"GANGWAY_SECRET_KEYS=x", "GANGWAY_CUSTOMER=x"}, 8192, ""},
		{"an unknown limit of files", proxied, nil, 0, ""},
		{"a loopback address without https", serveCommand{Listen: "127.0.0.1:8080", Connections: 2048}, nil, 8192, ""},
		{"the report is at an address of this machine", inside, nil, 8192,
			"--reporting-url is http://127.0.0.1:8080/reporting, which only this machine reaches, while people use " +
				"https://crew.example: give --reporting-url (GANGWAY_REPORTING_URL) the address that others use"},
		{"TLS, and an address without", secure, nil, 8192,
			"this server speaks TLS, but --app-url is http://crew.example, so that browsers are not told to keep to " +
				"https: give --app-url (GANGWAY_APP_URL) an address with https"},
		{"another letter", proxied, []string{"GANGWAY_TRUSTED_PROXI=127.0.0.1/32"}, 8192,
			"GANGWAY_TRUSTED_PROXI is not a variable of this program: did you mean GANGWAY_TRUSTED_PROXY?"},
		{"a letter less", proxied, []string{"GANGWAY_DATABSE=x"}, 8192,
			"GANGWAY_DATABSE is not a variable of this program: did you mean GANGWAY_DATABASE?"},
		{"nothing like it", proxied, []string{"GANGWAY_WEATHER_FORECAST=fine"}, 8192,
			"GANGWAY_WEATHER_FORECAST is not a variable of this program"},
		{"too few files", proxied, nil, 256,
			"this process may have 256 files open, which is less than --connections 2048: raise the limit " +
				"(LimitNOFILE= of systemd, ulimit -n), or lower --connections"},
		{"few connections", few, nil, 256, ""},
	} {
		at := sure(addressesAt(tt.serve.Listen, tt.serve.BaseURL, tt.serve.AppURL, tt.serve.ReportingURL))(t)
		want := slices.DeleteFunc([]string{tt.want}, func(s string) bool { return s == "" })
		if got := tt.serve.warnings(at, tt.environ, tt.files); !slices.Equal(got, want) {
			t.Errorf("%s: %s\nwant %s", tt.what, strings.Join(got, "\n"), tt.want)
		}
	}
}
