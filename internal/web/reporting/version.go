package reporting

import (
	"net/http"
	"strconv"
	"strings"

	"gangway/internal/report/odata"
)

// The versions of OData that are spoken. What is written is the same in both; 4.01 is for those who
// ask for it.
const (
	v40  = "4.0"
	v401 = "4.01"
)

// versionFor returns the version to answer in: the highest that OData-MaxVersion allows, or 4.0 where
// there is none (P 8.2.6, 8.2.7).
func versionFor(header http.Header) (string, error) {
	if sent := header.Get("OData-Version"); sent != "" {
		if v, err := version(sent); err != nil || v != 4 && v != 4.01 {
			return "", badHeader("OData-Version is 4.0 or 4.01, not %s", sent)
		}
	}
	most := header.Get("OData-MaxVersion")
	if most == "" {
		return v40, nil
	}
	switch v, err := version(most); {
	case err != nil:
		return "", badHeader("OData-MaxVersion is a version such as 4.0, not %s", most)
	case v < 4:
		return "", badHeader("this service speaks OData 4.0 and 4.01, and OData-MaxVersion is %s", most)
	case v < 4.01:
		return v40, nil
	}
	return v401, nil
}

// version reads a version, such as "4.0" or "4.0;NetFx".
func version(text string) (float64, error) {
	text, _, _ = strings.Cut(text, ";")
	text = strings.TrimSpace(text)
	if strings.Trim(text, "0123456789.") != "" {
		return 0, strconv.ErrSyntax
	}
	return strconv.ParseFloat(text, 64)
}

func badHeader(format, sent string) error {
	if len(sent) > 40 {
		sent = sent[:40] + "…"
	}
	return &odata.Error{Status: http.StatusBadRequest, Message: strings.Replace(format, "%s", strconv.Quote(sent), 1)}
}
