package receiver

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// tolerance is how old a push may be, so that nobody can send again later what they have overheard.
const tolerance = 5 * time.Minute

// Signed reports whether a push carries a signature made with secret. There may be several in the
// header: while a secret is being replaced, one is made with the old and one with the new.
//
// Source: Standard Webhooks 1.0, HMAC-SHA256.
func Signed(secret string, header http.Header, body []byte, now time.Time) bool {
	id, stamp := header.Get("Webhook-Id"), header.Get("Webhook-Timestamp")
	seconds, err := strconv.ParseInt(stamp, 10, 64)
	if err != nil || id == "" || now.Sub(time.Unix(seconds, 0)).Abs() > tolerance {
		return false
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil || len(key) == 0 {
		return false
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + stamp + "."))
	mac.Write(body)
	ours := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	for given := range strings.SplitSeq(header.Get("Webhook-Signature"), " ") {
		if hmac.Equal(ours, []byte(given)) { // in constant time
			return true
		}
	}
	return false
}
