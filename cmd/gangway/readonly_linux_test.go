package main

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"gangway/internal/need"
)

// A read-only file system under a database is named, by a server and by commands: SQLite itself only reports a file
// that it cannot open.
func TestReadOnlyFileSystemIsNamed(t *testing.T) {
	folder := smallDisk(t, "size=64m")
	database := "sqlite:" + filepath.Join(folder, "gangway.db")
	mode := func(flags uintptr) {
		must(t, syscall.Mount("", folder, "", syscall.MS_REMOUNT|flags, ""))
	}
	want := "cannot be opened: the file system with the folder " + folder +
		" is read-only, and SQLite writes files there even to read: make it writable\n"
	for _, tt := range []struct {
		what    string
		command []string
	}{
		{"nothing in it yet", []string{"account", "create", "Halcyon Tankers"}},
		{"a database that was closed", []string{"account", "list"}},
	} {
		mode(syscall.MS_RDONLY)
		t.Log(tt.what)
		refused(t, want, append(tt.command, "--database", database)...)
		refused(t, want, "serve", "--listen", "127.0.0.1:0", "--database", database)
		mode(0)
		answer[newCustomer](t, "account", "create", "Halcyon Tankers", "--database", database)
	}
	p, _, _ := serve(t, database)
	p.stop()
}

// A disk that becomes read-only under a server is named, by commands and in the server's log:
// SQLite itself calls it an I/O error.
func TestTrialDiskThatBecomesReadOnlyIsNamed(t *testing.T) {
	need.Trial(t)
	d := newLoopDisk(t)
	database := "sqlite:" + filepath.Join(d.folder, "gangway.db")
	c := answer[newCustomer](t, "account", "create", "Halcyon Tankers", "--database", database)
	p, app, _ := serve(t, database)
	p.held(d.breakOff)
	want := "the file system with the folder " + d.folder + " is read-only"
	refused(t, want, "account", "policy", "--customer", c.Customer, "--environment", "production", "--auto-issue",
		"--database", database)
	// something to write
	r := sure(http.PostForm(app+"/integrations/search", url.Values{"onsigners[0][last_name]": {"Reyes"}}))(t)
	r.Body.Close()
	eventually(t, "the server's log says it", func() bool {
		return strings.Contains(p.said.String(), want)
	})
	p.kill()
}

// A disk that fills up under a server is named once, and with what to do, by commands, in the server's log and to
// monitoring.
func TestDiskThatFillsUpIsNamed(t *testing.T) {
	folder := smallDisk(t, "size=64m")
	database := "sqlite:" + filepath.Join(folder, "gangway.db")
	p, app, _ := serve(t, database)
	fill(t, filepath.Join(folder, "filler"))
	const want = "the disk with the database is full: make room"
	out, err := gangwayCommand(t, "account", "create", "Halcyon Tankers", "--database", database).CombinedOutput()
	if err == nil || string(out) != "gangway: "+want+"\n" {
		t.Errorf("account create: %v, %s; want %s", err, out, want)
	}
	if _, said := look(t, app+"/readyz"); said != want+"\n" {
		t.Errorf("/readyz = %q; want %q", said, want)
	}
	eventually(t, "the server's log says it", func() bool {
		return strings.Contains(p.said.String(), `msg="the database is away" error="`+want+`"`)
	})
	p.kill()
}

// A folder or a file that belongs to somebody else is named, with the user that runs the command.
func TestSomebodyElsesDatabaseIsNamed(t *testing.T) {
	if id := os.Geteuid(); id != 0 {
		need.Root(t, fmt.Errorf("user %d has no files of somebody else", id))
	}
	folder := shortFolder(t)
	file := filepath.Join(folder, "gangway.db")
	database := "sqlite:" + file
	answer[newCustomer](t, "account", "create", "Halcyon Tankers", "--database", database)
	program := programOfAnybody(t)
	me := fmt.Sprintf("this user (id %d)", anybody)
	for _, tt := range []struct {
		folder, file os.FileMode
		want         string
	}{
		{0o555, 0o666, me + " may not write to the folder " + folder + ", where SQLite keeps files beside the " +
			"database: give it and the files in it to the user that runs gangway"},
		{0o777, 0o444, me + " may not read and write the file " + file + ": give it to the user that runs gangway"},
		{0o777, 0o000, me + " may not read and write the file " + file + ": give it to the user that runs gangway"},
		{0o000, 0o666, me + " may not look into the folder " + folder},
	} {
		for name, mode := range map[string]os.FileMode{file: tt.file, folder: tt.folder} {
			defer os.Chmod(name, 0o700)
			must(t, os.Chmod(name, mode))
		}
		for _, args := range [][]string{{"account", "list"}, {"serve", "--listen", "127.0.0.1:0"}} {
			out, err := asAnybody(program, append(args, "--database", database)...).CombinedOutput()
			if want := "gangway: the database file " + file + " cannot be opened: " + tt.want + "\n"; err == nil ||
				string(out) != want {
				t.Errorf("%s in a folder %o with a file %o: %v, %swant %s", strings.Join(args, " "), tt.folder, tt.file,
					err, out, want)
			}
		}
		for _, name := range []string{folder, file} {
			must(t, os.Chmod(name, 0o700))
		}
	}
}

// anybody is a user without root's rights.
const anybody = 65534

// programOfAnybody copies the program to where that user may run it: only root may read the folders that tests are
// built in.
func programOfAnybody(t *testing.T) (path string) {
	t.Helper()
	home := shortFolder(t)
	must(t, os.Chmod(home, 0o755))
	path = filepath.Join(home, "gangway")
	copyProgram(t, path)
	return path
}

// copyProgram copies the program to a path.
func copyProgram(t *testing.T, path string) {
	t.Helper()
	from := sure(os.Open(gangwayCommand(t).Path))(t)
	defer from.Close()
	to := sure(os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o755))(t)
	defer to.Close()
	must(t, did(io.Copy(to, from)))
}

// asAnybody is a command that runs that program as that user.
func asAnybody(program string, args ...string) *exec.Cmd {
	cmd := exec.Command(program, args...)
	cmd.Dir = filepath.Dir(program)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: anybody, Gid: anybody}}
	return cmd
}
