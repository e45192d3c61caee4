// Package kinds lists the kinds of transport that feeds and outlets may use. It decides nothing
// about them: to add one, write a package with a transport.Kind, and a line here.
package kinds

import (
	"slices"
	"strings"

	"gangway/internal/gangway"
	"gangway/internal/transport"
	"gangway/internal/transport/database"
	"gangway/internal/transport/endpoint"
	"gangway/internal/transport/folder"
	"gangway/internal/transport/ftp"
	"gangway/internal/transport/mail"
	"gangway/internal/transport/sftp"
	"gangway/internal/transport/upload"
)

// All are the kinds that feeds may use, in the order of the guide.
var All = []transport.Kind{
	endpoint.Kind,
	sftp.Kind,
	ftp.Secure,
	ftp.Plain,
	mail.Kind,
	folder.Kind,
	database.Kind,
	upload.Kind,
}

// Outlets are the kinds that outlets may use, in the order of the guide.
var Outlets = []transport.Kind{
	endpoint.Outlet,
	sftp.Outlet,
	ftp.SecureOutlet,
	ftp.PlainOutlet,
	mail.Outlet,
	folder.Outlet,
}

// Find returns the kind of this name that feeds may use.
func Find(name string) (transport.Kind, error) {
	i := slices.IndexFunc(All, func(k transport.Kind) bool { return k.Name == name })
	if i < 0 {
		return transport.Kind{}, gangway.Errorf(gangway.Invalid, "kind must be one of %s", strings.Join(Names(), ", "))
	}
	return All[i], nil
}

// Names are the names of all kinds that feeds may use.
func Names() []string {
	return gangway.Each(All, func(k transport.Kind) string { return k.Name })
}
