package gangway

import (
	"strings"
	"testing"
)

func TestLastAdmin(t *testing.T) {
	ana := User{ID: "1", Email: "ana@halcyon.example", Role: Admin}
	other := User{ID: "2", Role: Admin}
	disabled := User{ID: "3", Role: Admin, Disabled: true}
	booker := User{ID: "4", Role: Booker}
	tests := []struct {
		name    string
		user    User
		others  []User
		refused bool
	}{
		{"the only one", ana, nil, true},
		{"beside herself", ana, []User{ana}, true},
		{"the only admin who may sign in", ana, []User{booker, disabled}, true},
		{"beside another admin", ana, []User{other, booker}, false},
		{"a booker", booker, nil, false},
		{"an admin who may not sign in anyway", disabled, nil, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for what, do := range map[string]func(u User) error{
				"disable": func(u User) error { return u.Disable(tt.others) },
				"remove":  func(u User) error { return u.MayBeRemoved(tt.others) },
				"role":    func(u User) error { return u.SetRole(Booker, tt.others) },
			} {
				err := do(tt.user)
				if (err != nil) != tt.refused || err != nil && (KindOf(err) != Conflict ||
					!strings.Contains(err.Error(), "only admin")) {
					t.Errorf("%s = %v; refused should be %t", what, err, tt.refused)
				}
			}
			u := tt.user
			if err := u.SetRole(Admin, tt.others); err != nil {
				t.Errorf("to stay an admin = %v; want nil", err)
			}
		})
	}

	t.Run("a disabled user is signed out everywhere, and stays so when enabled again", func(t *testing.T) {
		u := booker
		if err := u.Disable(nil); err != nil || !u.Disabled || u.Round != booker.Round+1 {
			t.Fatalf("Disable = %v, %+v", err, u)
		}
		if u.Enable(); u.Disabled || u.Round != booker.Round+1 {
			t.Fatalf("Enable: %+v; want enabled, in the new round", u)
		}
	})
}

func TestWhoMayBeNamed(t *testing.T) {
	for name, may := range map[string]bool{
		"Ines Paredes": true, "Иван Петров": true, "海港": true,
		"Ines\nParedes": false, "Ines\u202eParedes": false, " ": false, "\xff": false, strings.Repeat("a", 201): false,
	} {
		if err := CheckName(name); (err == nil) != may {
			t.Errorf("CheckName(%q) = %v; want taken: %t", name, err, may)
		}
	}
	for address, may := range map[string]bool{
		"ines.paredes+crew@halcyon.example": true,
		"ines":                              false, "Ines <ines@halcyon.example>": false, "іnes@halcyon.example": false,
		"ines@hаlcyon.example":   false,
		"ines@halcyon.example\n": false, "\"in es\"@halcyon.example": false, strings.Repeat("a", 250) +
			"@a.example": false,
	} {
		if err := CheckEmail(address); (err == nil) != may {
			t.Errorf("CheckEmail(%q) = %v; want taken: %t", address, err, may)
		}
	}
}
