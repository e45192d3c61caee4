package gangway

// LocatorLetters are what the six places of a locator are written in, ours and
// the simulated airlines': they leave out what is misread or misheard, which is
// I, O, 0 and 1.
//
// Decided: docs/choices.md, "Booking record".
const LocatorLetters = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"

// LocatorLength is how many places a locator has.
const LocatorLength = 6
