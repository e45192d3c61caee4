package reporting

import (
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"net/http"
	"slices"
	"strings"

	"gangway/internal/web"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// etag is made of the bytes of the answer. So it is right whatever the answer depends on: rows of
// several sets, the time, the account's settings, this version of the program. Two checksums and the
// length of a page take a tenth of what a cryptographic hash takes, and whoever made two answers agree
// would fool nobody else.
func (c *call) etag() string {
	body := c.page.Bytes()
	form := crc32.ChecksumIEEE([]byte(c.format.contentType() + c.version))
	sum := binary.BigEndian.AppendUint32(nil, form)
	sum = binary.BigEndian.AppendUint32(sum, crc32.ChecksumIEEE(body))
	sum = binary.BigEndian.AppendUint32(sum, crc32.Checksum(body, castagnoli))
	sum = binary.BigEndian.AppendUint32(sum, uint32(len(body)))
	return `W/"` + base64.RawURLEncoding.EncodeToString(sum) + `"`
}

// unlessMatched sets the answer's ETag. It returns 304 if the client has the same already (P 8.2.5), and
// fails if the client wants no other than one that this is not (P 8.2.4).
func (c *call) unlessMatched() (status int, err error) {
	tag := c.etag()
	c.header["ETag"] = []string{tag}
	header := c.request.header
	switch {
	case len(header.Values("If-Match")) > 0 && !matches(tag, header.Values("If-Match")):
		return 0, &web.Refusal{Status: http.StatusPreconditionFailed,
			Msg: "what is here has another ETag than If-Match names"}
	case matches(tag, header.Values("If-None-Match")):
		return http.StatusNotModified, nil
	}
	return http.StatusOK, nil
}

// matches reports whether a tag is among those of a header, or any is.
func matches(tag string, lines []string) bool {
	return slices.ContainsFunc(strings.Split(strings.Join(lines, ","), ","), func(one string) bool {
		one = strings.TrimSpace(one)
		return one == "*" || strings.TrimPrefix(one, "W/") == strings.TrimPrefix(tag, "W/")
	})
}

// wantNoSnapshot refuses requests whose pages shall all be of one moment: a service that does not do that
// must not answer them (P 8.2.6).
func wantNoSnapshot(header http.Header) error {
	for _, name := range []string{"Isolation", "OData-Isolation"} {
		if header.Get(name) != "" {
			return &web.Refusal{Status: http.StatusPreconditionFailed,
				Msg: name + " is not supported: each page is of one moment, but not all pages of the same"}
		}
	}
	return nil
}
