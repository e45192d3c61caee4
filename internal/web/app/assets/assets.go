// Package assets holds the files for browsers that build.sh makes of all rooms'
// stylesheets and scripts. They are committed, so that building the program does not
// need Node.
package assets

import "embed"

// Dist is the folder that build.sh fills.
//
//go:embed dist
var Dist embed.FS
