package mail

import (
	"strings"
	"testing"
	"time"

	"gangway/internal/calltest"
	"gangway/internal/transport/transporttest"
)

// TestAuthenticated holds which fields say that a mail from example.com really comes from there.
func TestAuthenticated(t *testing.T) {
	const field, id, good = "Authentication-Results: ", "mx.example.com", " dmarc=pass header.from=example.com"
	const top = field + id + ";"
	for name, tt := range map[string]struct {
		head string
		want bool
	}{
		"none":      {"", false},
		"a verdict": {top + good, true},
		"of several methods, folded, with comments": {field + "MX.example.com 1;\n" +
			" dkim=pass header.i=@example.com header.b=\"a;b=\";\r\n\t" +
			"spf=fail (mx: \\) no; (nested) one) smtp.mailfrom=x@y;\n" +
			" DMARC=PASS (p=REJECT\n sp=NONE) header.from=Example.COM", true},
		"with a reason":                {top + " dmarc/1 = pass reason = \"a=b; c\" header.from =\n example.com", true},
		"more of a result":             {top + " dmarc=pass action=none header.from=example.com", true},
		"fail":                         {top + " dmarc=fail header.from=example.com", false},
		"none of DMARC":                {top + " spf=pass smtp.mailfrom=example.com", false},
		"no results":                   {top + " none", false},
		"another domain":               {top + " dmarc=pass header.from=example.com.evil.example", false},
		"no domain":                    {top + " dmarc=pass", false},
		"two domains":                  {top + good + " header.from=evil.example", false},
		"two verdicts":                 {top + " dmarc=fail header.from=example.com;" + good, false},
		"another server":               {field + "mx.evil.example;" + good, false},
		"a server without a name":      {field + good[1:], false},
		"another above":                {field + "relay.example.com; dmarc=fail header.from=x\n" + top + good, true},
		"forged below":                 {top + " dmarc=fail header.from=example.com\n" + top + good, false},
		"forged below another method":  {top + " dkim=fail\n" + top + good, false},
		"forged below one without end": {top + " spf=fail (sent by ( ;\n" + top + good, false},
		"forged in a comment":          {top + " spf=fail (helo;" + good + "; x)", false},
		"forged in a quoted text":      {top + " spf=fail smtp.helo=\"x;" + good + "\"", false},
		"forged in a quoted name":      {field + "\"" + id + ";" + good + "\"", false},
		"forged in the name":           {field + "evil.example (\"\n " + id + ");" + good, false},
		"in a field of another kind":   {"ARC-" + field + "i=1; " + id + ";" + good, false},
	} {
		h, err := readHeader([]byte(tt.head + "\nFrom: crewing@example.com\n\n"))
		if err != nil || h.passedDMARC(id, "example.com") != tt.want {
			t.Errorf("%s: %v, %v; want %v", name, !tt.want, err, tt.want)
		}
	}
}

// TestUnverifiedSenders holds that mails of an allowed sender are neither read nor answered, where a feed names the
// customer's server, unless that says that they passed DMARC.
func TestUnverifiedSenders(t *testing.T) {
	server, office := transporttest.ServeIMAP(t), transporttest.ServeSMTP(t, false)
	says := func(dmarc string) string {
		return "Authentication-Results: mx.example.com; dmarc=" + dmarc + " header.from=example.com\n"
	}
	deliver(t, server.Maildir, says("pass")+simple("crewing@example.com", "real"), 3*time.Hour)
	deliver(t, server.Maildir, says("fail")+says("pass")+simple("crewing@example.com", "forged"), 2*time.Hour)
	deliver(t, server.Maildir, simple("crewing@example.com", "unsaid"), time.Hour)
	set := settingsOf(server, smtpSettings(office, startTLS))
	for by, want := range map[string]string{"": "real forged unsaid", "MX.example.com": "real"} {
		set["authenticated_by"] = by
		box := mustOpen(t, set)
		var got []string
		for a, err := range box.Pull(t.Context(), query) {
			calltest.Done(t, err)
			if a.Wrong == nil {
				text := make([]byte, 100)
				n, _ := a.Body.Read(text)
				got = append(got, string(text[:n]))
			} else if !strings.Contains(a.Wrong.Error(), by+" does not say that it passed DMARC") {
				t.Errorf("refused with %v", a.Wrong)
			}
			if by == "" {
				continue
			}
			if err := box.Answer(t.Context(), a.Key, "text", nothing); err != nil {
				t.Error(err)
			}
		}
		if read := strings.Join(got, " "); read != want {
			t.Errorf("authenticated by %q, it reads %s; want %s", by, read, want)
		}
	}
	if sent := office.Mails(); len(sent) != 1 {
		t.Errorf("%d answers; want one, to the sender who was verified", len(sent))
	}
}
