package listen

import (
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// firstInherited is the number of the first descriptor that systemd passes.
const firstInherited = 3

// Inherit returns the sockets that systemd opened for this process (LISTEN_FDS),
// for the servers of these names. A socket goes by its name in LISTEN_FDNAMES, or
// else by its position. Without any the map is empty.
//
// The process that follows this one inherits the same sockets, so connections wait
// in their queue while none of the two runs.
func Inherit(env func(string) (string, bool), pid int, servers ...string) (map[string]net.Listener, error) {
	count, _ := env("LISTEN_FDS")
	if whom, _ := env("LISTEN_PID"); count == "" || whom != strconv.Itoa(pid) {
		return nil, nil // for another process
	}
	n, err := strconv.Atoi(count)
	if err != nil || n < 0 || n > len(servers) {
		return nil, fmt.Errorf("LISTEN_FDS in the environment: at most %d sockets can be used", len(servers))
	}
	names, _ := env("LISTEN_FDNAMES")
	sockets := map[string]net.Listener{}
	for i := range n {
		name := named(strings.Split(names, ":"), i, servers)
		if sockets[name] != nil {
			return nil, fmt.Errorf("LISTEN_FDNAMES in the environment: two sockets for the %s server", name)
		}
		if sockets[name], err = inherit(firstInherited + i); err != nil {
			return nil, fmt.Errorf("inherited socket %d: %w", i+1, err)
		}
	}
	return sockets, nil
}

// named is the server of the i-th socket.
func named(names []string, i int, servers []string) string {
	for _, s := range servers {
		if i < len(names) && names[i] == s {
			return s
		}
	}
	return servers[i]
}

func inherit(fd int) (net.Listener, error) {
	syscall.CloseOnExec(fd)
	file := os.NewFile(uintptr(fd), "inherited")
	defer file.Close()
	l, err := net.FileListener(file)
	if err != nil {
		return nil, err
	}
	if _, ok := l.(*net.TCPListener); !ok {
		return nil, errors.New("not a TCP socket")
	}
	return l, nil
}
