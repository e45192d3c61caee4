package gangway

import "testing"

// What came of a try is said as the kind of transport has it, and nothing in it turns the text around it.
func TestAnswerWords(t *testing.T) {
	for _, tt := range []struct {
		kind   string
		status int
		text   string
		want   string
	}{
		{EndpointTransport, 200, "thanks", "answered 200 OK"},
		{EndpointTransport, 599, "", "answered 599"},
		{EndpointTransport, 0, "no answer in time", "no answer in time"},
		{EndpointTransport, 0, "The mapping fails on this record: gpj.\u202efdp",
			"the mapping fails on this record: gpj.\uFFFDfdp"},
		{EndpointTransport, 0, "", ""},
		{"folder", 200, "The file is there as bkg_1-1-msg_1.json.", "the file is there as bkg_1-1-msg_1.json"},
		{"mail", 200, "The mail server has accepted it.", "the mail server has accepted it"},
		{"ftps", 0, "TLS is not spoken there", "TLS is not spoken there"},
	} {
		o := Outlet{Transport: Transport{Kind: tt.kind}}
		if got := o.AnswerWords(tt.status, tt.text); got != tt.want {
			t.Errorf("AnswerWords(%s, %d, %q) = %q; want %q", tt.kind, tt.status, tt.text, got, tt.want)
		}
	}
	if got := Shortened("Überlast", 3); got != "Übe…" {
		t.Errorf("Shortened = %q; want three letters", got)
	}
}
