package reporting

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"maps"
	"mime"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"slices"
	"strconv"
	"strings"

	"gangway/internal/report/odata"
)

// itemsOfMultipart reads a batch of parts (P 11.7.3). A part with changes is an item that is refused.
func itemsOfMultipart(body []byte, boundary string) (items []item, err error) {
	if !bytes.Contains(body, []byte("--"+boundary)) {
		return nil, wrongBatch("its boundary is nowhere in it")
	}
	parts := multipart.NewReader(bytes.NewReader(body), boundary)
	for {
		part, err := parts.NextRawPart()
		if errors.Is(err, io.EOF) {
			return items, nil
		}
		if err != nil {
			return nil, wrongBatch("part %d: its boundary or its head is wrong", len(items)+1)
		}
		one := item{id: part.Header.Get("Content-Id"), number: len(items) + 1,
			request: request{header: http.Header{}}}
		switch media, _, _ := mime.ParseMediaType(part.Header.Get("Content-Type")); media {
		case "application/http":
			if err := one.readPart(part); err != nil {
				return nil, wrongBatch("part %d holds no request as HTTP has them", len(items)+1)
			}
		case inMultipart:
			one.wrong = &odata.Error{Status: http.StatusNotImplemented, Message: "a set of changes is not supported " +
				"here: the report is only read"}
		default:
			return nil, wrongBatch("part %d is not application/http", len(items)+1)
		}
		if items = append(items, one); len(items) > mostOfBatch {
			return items, nil
		}
	}
}

// readPart reads a request as it stands in a part.
func (one *item) readPart(part io.Reader) error {
	r := textproto.NewReader(bufio.NewReader(part))
	line, err := r.ReadLine()
	for err == nil && line == "" { // some write an empty line before it
		line, err = r.ReadLine()
	}
	if err != nil {
		return err
	}
	words := strings.Fields(line)
	if len(words) < 2 || len(words) > 3 {
		return errors.New("no line of a request")
	}
	one.method, one.address = words[0], words[1]
	header, err := r.ReadMIMEHeader()
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if header.Get("Transfer-Encoding") != "" {
		return errors.New("a part ends at its boundary, and needs no other end")
	}
	if header != nil {
		one.header = http.Header(header)
	}
	one.request.body, err = io.ReadAll(r.R)
	return err
}

// inParts returns the answer as parts (P 11.7.4).
func inParts(boundary string) batchWriter {
	return batchWriter{media: inMultipart + "; boundary=" + boundary, after: "--" + boundary + "--\r\n",
		write: func(c *call, r reply) {
			head := "--" + boundary + "\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n"
			if r.id != "" {
				head += "Content-ID: " + r.id + "\r\n"
			}
			head += "\r\nHTTP/1.1 " + strconv.Itoa(r.status) + " " + http.StatusText(r.status) + "\r\n"
			if r.bare() {
				r.body = nil
				r.header.Del("Content-Type")
			} else {
				r.header["Content-Length"] = []string{strconv.Itoa(len(r.body))}
			}
			for _, name := range slices.Sorted(maps.Keys(r.header)) {
				for _, value := range r.header[name] {
					head += name + ": " + value + "\r\n"
				}
			}
			c.page.Write([]byte(head + "\r\n"))
			c.page.Write(r.body)
			c.page.Write([]byte("\r\n"))
		}}
}
