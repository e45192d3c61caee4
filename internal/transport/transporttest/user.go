package transporttest

import (
	"os/user"
	"testing"

	"gangway/internal/calltest"
)

// userName is who runs the tests: servers of files let that user in.
func userName(t testing.TB) string {
	t.Helper()
	u := calltest.Must(user.Current())(t)
	return u.Username
}

// groupName is that user's group.
func groupName(t testing.TB) string {
	t.Helper()
	u := calltest.Must(user.Current())(t)
	g := calltest.Must(user.LookupGroupId(u.Gid))(t)
	return g.Name
}
