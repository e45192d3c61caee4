package gangway

// LocatorLetters are the characters of a locator, ours and the simulated
// airlines'. They leave out I, O, 0 and 1, which are easily misread or misheard.
//
// Decided: docs/choices.md, "Booking record".
const LocatorLetters = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"

// LocatorLength is how many characters a locator has.
const LocatorLength = 6
