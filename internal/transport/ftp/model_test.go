package ftp

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"

	"gangway/internal/transport"
	"gangway/internal/transport/transporttest"
)

var loopback = transport.Options{Allow: transporttest.Loopback}

// A model is an FTP server written by hand, for what no good server does.
type model struct {
	features string                         // of FEAT, each after a space
	says     map[string]string              // answers to commands that differ
	passive  func(port int) string          // the answer to PASV; nil: the truth
	data     map[string]func(conn net.Conn) // what comes in answer to LIST, MLSD and RETR
	ends     string                         // said after it; "226 Done" where empty
	silent   string                         // the command from which on it says nothing

	mu       sync.Mutex
	commands []string // that came
}

// serve starts the model and returns its port.
func (m *model) serve(t *testing.T) int {
	t.Helper()
	return transporttest.Listen(t, func(conn net.Conn) {
		var data net.Listener
		lines := bufio.NewScanner(conn)
		say := func(line string) { fmt.Fprintf(conn, "%s\r\n", line) }
		if m.silent == "CONNECT" {
			<-t.Context().Done()
		}
		say("220 Ready")
		for lines.Scan() {
			command, _, _ := strings.Cut(lines.Text(), " ")
			m.mu.Lock()
			m.commands = append(m.commands, lines.Text())
			m.mu.Unlock()
			if command == m.silent {
				<-t.Context().Done()
			}
			if answer, ok := m.says[command]; ok {
				say(answer)
				continue
			}
			switch command {
			case "USER":
				say("331 Password")
			case "PASS":
				say("230 Welcome")
			case "FEAT":
				say("211-Features\r\n" + m.features + "\r\n211 End")
			case "PASV":
				var err error
				if data, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
					return
				}
				defer data.Close()
				port := data.Addr().(*net.TCPAddr).Port
				if m.passive != nil {
					say(m.passive(port))
					continue
				}
				say(fmt.Sprintf("227 Passive (10,0,0,1,%d,%d)", port>>8, port&0xff))
			case "LIST", "MLSD", "RETR":
				c, err := data.Accept()
				if err != nil {
					return
				}
				say("150 Here it comes")
				if send := m.data[command]; send != nil {
					send(c)
				}
				c.Close()
				if m.ends != "" {
					say(m.ends)
					continue
				}
				say("226 Done")
			case "TYPE":
				say("200 Fine")
			default:
				say("502 What?")
			}
		}
	})
}

// sends is data that is sent as it is.
func sends(text string) func(net.Conn) { return func(c net.Conn) { io.WriteString(c, text) } }

func (m *model) settings(t *testing.T) map[string]any {
	return map[string]any{"host": "127.0.0.1", "port": m.serve(t), "user": "crew", "password": "tide-tables"}
}
