package reporting

import (
	"compress/gzip"
	"errors"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"gangway/internal/report/odata"
	"gangway/internal/web"
)

// worthPacking is from how many bytes an answer is compressed.
const worthPacking = 1400

// packers compress at the fastest level: a page becomes a fifth, and the slower levels save little more.
var packers = sync.Pool{New: func() any {
	z, err := gzip.NewWriterLevel(nil, gzip.BestSpeed)
	if err != nil { // only for levels that there are not
		panic(err)
	}
	return z
}}

// send writes an answer.
func send(w http.ResponseWriter, r *http.Request, res response, body []byte) error {
	header := w.Header()
	maps.Copy(header, res.header)
	header.Set("Cache-Control", "no-store")
	header.Set("Vary", "Accept, Accept-Encoding, Authorization, OData-MaxVersion, Prefer")
	packed := len(body) >= worthPacking && takesGzip(r)
	switch {
	case res.status == http.StatusNoContent || res.status == http.StatusNotModified:
		header.Del("Content-Type")
	case packed:
		header.Set("Content-Encoding", "gzip")
	default:
		header.Set("Content-Length", strconv.Itoa(len(body)))
	}
	w.WriteHeader(res.status)
	if r.Method == http.MethodHead || res.status == http.StatusNoContent || res.status == http.StatusNotModified {
		return nil
	}
	if !packed {
		_, err := w.Write(body)
		return err
	}
	z := packers.Get().(*gzip.Writer)
	defer packers.Put(z)
	z.Reset(w)
	if _, err := z.Write(body); err != nil {
		return err
	}
	return z.Close()
}

// takesGzip reports whether a client accepts gzip (RFC 9110, 12.5.3).
func takesGzip(r *http.Request) bool {
	takes := false
	for coding := range strings.SplitSeq(strings.Join(r.Header.Values("Accept-Encoding"), ","), ",") {
		name, parameter, _ := strings.Cut(coding, ";")
		name = strings.ToLower(strings.TrimSpace(name))
		if name != "gzip" && name != "*" {
			continue
		}
		_, weight, weighed := strings.Cut(parameter, "=")
		q, err := strconv.ParseFloat(strings.TrimSpace(weight), 64)
		takes = !weighed || err == nil && q > 0
		if name == "gzip" {
			break
		}
	}
	return takes
}

// refused gives an error that the report's own packages return its status.
func refused(err error) error {
	var bad *odata.Error
	if errors.As(err, &bad) {
		return errors.Join(&web.Refusal{Status: bad.Status, Msg: bad.Error()}, err)
	}
	return err
}
