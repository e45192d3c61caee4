package reporting

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"strconv"

	"gangway/internal/gangway"
	"gangway/internal/report/odata"
	"gangway/internal/store"
	"gangway/internal/web"
)

// worthPacking is from how many bytes an answer is compressed.
const worthPacking = 1400

// send writes an answer, compressed if pack is there to do it and it is worth it.
func send(w http.ResponseWriter, r *http.Request, res response, body []byte, pack *packing) error {
	header := w.Header()
	maps.Copy(header, res.header)
	header.Set("Cache-Control", "no-store")
	header.Set("Vary", "Accept, Accept-Encoding, Authorization, OData-MaxVersion, Prefer")
	if res.bare() {
		header.Del("Content-Type")
	} else {
		if pack != nil && len(body) >= worthPacking {
			var err error
			if body, err = pack.all(body); err != nil {
				return err
			}
			header.Set("Content-Encoding", "gzip")
		}
		header.Set("Content-Length", strconv.Itoa(len(body)))
	}
	w.WriteHeader(res.status)
	if res.bare() || r.Method == http.MethodHead {
		return nil
	}
	_, err := w.Write(body)
	return err
}

// refused gives an error that the report's own packages return its status, and one of a request whose time is over.
func refused(err error) error {
	var bad *odata.Error
	switch {
	case errors.As(err, &bad):
		return errors.Join(&web.Refusal{Status: bad.Status, Msg: bad.Error()}, err)
	case errors.Is(err, context.DeadlineExceeded) && gangway.KindOf(err) == gangway.Internal:
		return fmt.Errorf("%w: %w", store.ErrReportTooLong, err)
	}
	return err
}
