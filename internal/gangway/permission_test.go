package gangway

import "testing"

func TestPermissions(t *testing.T) {
	tests := []struct {
		role                      Role
		book, approve, administer bool
	}{
		{Booker, true, false, false},
		{Approver, true, true, false},
		{Admin, true, true, true},
		{"", false, false, false},
		{"captain", false, false, false},
	}
	for _, tt := range tests {
		for right, want := range map[Permission]bool{ToBook: tt.book, ToApprove: tt.approve,
			ToAdminister: tt.administer,
			"fly":        false} {
			if got := tt.role.May(right); got != want {
				t.Errorf("a %q may %s: %v; want %v", tt.role, right, got, want)
			}
		}
	}
}
