// Package assets holds what build.sh makes of the stylesheets and scripts of
// all rooms, for browsers. That is committed, so that building the program needs
// no Node.
package assets

import "embed"

// Dist is the folder that build.sh fills.
//
//go:embed dist
var Dist embed.FS
