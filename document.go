package gangway

// A Document is what a supplier of flights keeps in its ledger, under an id and
// a reference that no other document of the account has.
type Document struct {
	ID        string
	Reference string // empty: the id
	Doc       []byte // JSON
	Version   int    // 1 when it is new; grows by one with every change
}
