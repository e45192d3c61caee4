package gangway

import "testing"

func TestPassportNumber(t *testing.T) {
	for number, want := range map[string]bool{
		"P1234567A": true, "p1234567": true, "201234567": true, "AB 123456": true, "AB-1234/5": true, "1234": true,
		"": false, "!!": false, "12": false, "X": false, "ABCDEFG": false, "P1234?67": false, "P12345Ä": false,
		"---- 1": false,
	} {
		if got := PassportNumber(number); got != want {
			t.Errorf("PassportNumber(%q) = %t; want %t", number, got, want)
		}
	}
}

func TestPhoneNumber(t *testing.T) {
	for number, want := range map[string]bool{
		"+63 917 555 0101": true, "0049 (40) 123456": true, "040/123-456": true, "+1.415.555.0101": true,
		"+1 415 555 0101 ext. 12": true, "+1 415 555 0101 x12": true,
		"": false, "12": false, "none": false, "12345": false, "+49+40123456": false, "1234567890123456": false,
		"nomail@": false, "+1 415 555 0101 ask Ana": false,
	} {
		if got := PhoneNumber(number); got != want {
			t.Errorf("PhoneNumber(%q) = %t; want %t", number, got, want)
		}
	}
}
