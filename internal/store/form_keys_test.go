package store_test

import (
	"bytes"
	"testing"

	"gangway/internal/seal"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// TestFormKeys holds that replicas, and the program after a restart, sign forms
// with the same key, and that with the operator's keys an older one still counts.
func TestFormKeys(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		keys := func(operators ...[]byte) [][]byte {
			t.Helper()
			db := sure(store.Open(t.Context(), url))(t)
			defer db.Close()
			if len(operators) > 0 {
				sealer := sure(seal.New(operators...))(t)
				db.SealWith(sealer)
			}
			list, err := db.FormKeys(t.Context())
			if err != nil || len(list) == 0 || len(list[0]) != 32 {
				t.Fatalf("FormKeys = %d keys, %v", len(list), err)
			}
			return list
		}
		old, fresh := bytes.Repeat([]byte{1}, 32), bytes.Repeat([]byte{2}, 32)
		if a, b := keys(), keys(); !bytes.Equal(a[0], b[0]) {
			t.Error("without keys of the operator, the key differs after a restart")
		}
		before, after := keys(old), keys(fresh, old)
		if len(after) != 2 || !bytes.Equal(before[0], after[1]) || bytes.Equal(after[0], after[1]) {
			t.Error("after a rotation the earlier key no longer counts")
		}
		if bytes.Equal(before[0], old) || bytes.Equal(before[0], keys()[0]) {
			t.Error("the key is the operator's own, or the database's")
		}
	})
}
