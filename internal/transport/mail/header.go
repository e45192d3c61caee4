package mail

import (
	"bytes"
	"mime"
	"net/mail"
	"net/textproto"
	"regexp"
	"strings"

	"gangway/internal/gangway"
)

// mostHeader is how long a mail's header may be.
const mostHeader = 256 << 10

// A header is that of a mail.
type header struct{ textproto.MIMEHeader }

var errHeader = gangway.Errorf(gangway.Invalid, "the mail's header cannot be read, or is longer than 256 KiB")

func readHeader(raw []byte) (header, error) {
	if len(raw) > mostHeader {
		return header{}, errHeader
	}
	m, err := mail.ReadMessage(bytes.NewReader(append(bytes.TrimRight(raw, "\r\n"), "\r\n\r\n"...)))
	if err != nil {
		return header{}, errHeader
	}
	return header{textproto.MIMEHeader(m.Header)}, nil
}

// sender is who wrote the mail: one address, or nobody knows whose word it is.
func (h header) sender() (string, error) {
	list, err := mail.ParseAddressList(strings.Join(h.Values("From"), ", "))
	if err != nil || len(list) != 1 || len(h.Values("From")) != 1 {
		return "", gangway.Errorf(gangway.Denied, "mails without exactly one sender are not read")
	}
	return list[0].Address, nil
}

// subject is one line, without the sign of an answer.
func (h header) subject() string {
	text := h.Get("Subject")
	if decoded, err := (&mime.WordDecoder{}).DecodeHeader(text); err == nil {
		text = decoded
	}
	text = oneLine(text, 200)
	for len(text) >= 3 && strings.EqualFold(text[:3], "re:") {
		text = strings.TrimSpace(text[3:])
	}
	return text
}

// oneLine returns text without control characters, and not all of a long one.
func oneLine(text string, most int) string {
	return gangway.Shortened(strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if isControl(r) || r == '\u2028' || r == '\u2029' || r == '\u0085' {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "�"))), " "), most)
}

var messageID = regexp.MustCompile(`<[!-;=?-~]{1,250}@[!-;=?-~]{1,250}>`)

// ids are the identifiers in a field, no more than an answer repeats.
func (h header) ids(field string) []string {
	ids := messageID.FindAllString(strings.Join(h.Values(field), " "), 100)
	return ids[max(0, len(ids)-20):]
}

// automatic reports whether a machine or a list sent the mail: to those machines do not
// answer, or they answer each other for ever.
//
// Source: RFC 3834, section 2; RFC 2919 and 2369; and what Microsoft's servers write.
func (h header) automatic() bool {
	if auto := strings.ToLower(strings.TrimSpace(h.Get("Auto-Submitted"))); auto != "" && auto != "no" {
		return true
	}
	for _, field := range []string{"List-Id", "List-Unsubscribe", "List-Post", "X-Auto-Response-Suppress",
		"X-Autoreply", "X-Autorespond", "X-Loop"} {
		if h.Get(field) != "" {
			return true
		}
	}
	switch strings.ToLower(strings.TrimSpace(h.Get("Precedence"))) {
	case "bulk", "junk", "list", "auto_reply":
		return true
	}
	if path, ok := h.MIMEHeader["Return-Path"]; ok && strings.TrimSpace(strings.Join(path, "")) == "<>" {
		return true
	}
	from, err := h.sender()
	name, _, _ := strings.Cut(strings.ToLower(from), "@")
	for _, machine := range []string{"mailer-daemon", "postmaster", "no-reply", "noreply", "donotreply", "bounce"} {
		if strings.HasPrefix(name, machine) {
			return true
		}
	}
	return err != nil
}
