package gangway

import (
	"testing"

	"gangway/internal/calltest"
)

func TestApprovalPolicy(t *testing.T) {
	usd := func(minor int64) Money { return Money{Minor: minor, Currency: "USD"} }
	tests := []struct {
		name  string
		text  string
		price Money
		asks  bool
	}{
		{"nobody is asked", "none", usd(9_999_999), false},
		{"somebody is always asked", "always", usd(1), true},
		{"at the limit nobody is asked", "above 500.00 USD", usd(500_00), false},
		{"above the limit somebody is", "above 500.00 USD", usd(500_01), true},
		{"a price in another currency cannot be compared, so it waits", "above 500.00 USD", Money{Minor: 1,
			Currency: "EUR"},
			true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, err := ParseApprovalPolicy(tt.text)
			if err != nil || p.String() != tt.text {
				t.Fatalf("ParseApprovalPolicy(%q) = %q, %v; want the same again", tt.text, p, err)
			}
			if got := p.Asks(tt.price); got != tt.asks {
				t.Fatalf("Asks(%s) under %q = %v; want %v", tt.price, tt.text, got, tt.asks)
			}
		})
	}
	for _, text := range []string{"", "never", "above", "above ", "above 500", "above USD", "above 5.001 USD",
		"above 5.00 US", "above -5.00 USD"} {
		t.Run("not a policy: "+text, func(t *testing.T) {
			if p, err := ParseApprovalPolicy(text); KindOf(err) != Invalid {
				t.Fatalf("ParseApprovalPolicy(%q) = %q, %v; want Invalid", text, p, err)
			}
		})
	}
}

func TestAnotherCurrencyAsksForTheLimitAgain(t *testing.T) {
	above := calltest.Must(ParseApprovalPolicy("above 500.00 USD"))(t)
	s := Settings{Currency: "USD", Approval: above}
	s.SetCurrency("EUR")
	if !s.Approval.Awaits() || !s.Approval.Asks(Money{Minor: 1, Currency: "USD"}) ||
		!s.Approval.Asks(Money{Minor: 1, Currency: "EUR"}) {
		t.Errorf("after another currency the policy is %+v; want everything to wait", s.Approval)
	}
	s.SetCurrency("USD")
	if s.Approval != above {
		t.Errorf("back in the old currency the policy is %+v; want %+v", s.Approval, above)
	}
	always := Settings{Approval: ApprovalPolicy{Mode: ApproveAlways}}
	if always.SetCurrency("EUR"); always.Approval.Awaits() {
		t.Error("without a limit nothing is asked for again")
	}
}
