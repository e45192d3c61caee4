package gangway

// A Document is what a flight supplier keeps in its ledger. No other document
// of the account has its id or its reference.
type Document struct {
	ID        string
	Reference string // empty: the id
	Doc       []byte // JSON
	Version   int    // 1 when it is new; grows by one with every change
}
