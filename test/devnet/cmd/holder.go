package main

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// holderOf names the process that listens on the port of an address, as far as
// Linux tells: it is empty elsewhere, and for processes of other users.
func holderOf(address string) string {
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		return ""
	}
	sockets := listening(port)
	links, _ := filepath.Glob("/proc/[0-9]*/fd/*")
	for _, link := range links {
		if target, err := os.Readlink(link); err == nil && sockets[target] {
			return describe(filepath.Dir(filepath.Dir(link)))
		}
	}
	return ""
}

// listening returns the sockets that listen on a port, as links to them are written.
func listening(port string) map[string]bool {
	const local, state, inode, listens = 1, 3, 9, "0A"
	number, err := strconv.ParseUint(port, 10, 16)
	if err != nil {
		return nil
	}
	suffix, found := fmt.Sprintf(":%04X", number), map[string]bool{}
	for _, table := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		text, _ := os.ReadFile(table)
		for line := range strings.Lines(string(text)) {
			if column := strings.Fields(line); len(column) > inode && strings.HasSuffix(column[local], suffix) && column[state] == listens {
				found["socket:["+column[inode]+"]"] = true
			}
		}
	}
	return found
}

// describe returns the command line of a process and its number.
func describe(process string) string {
	command, err := os.ReadFile(filepath.Join(process, "cmdline"))
	if err != nil {
		return ""
	}
	words := strings.ReplaceAll(strings.TrimRight(string(command), "\x00"), "\x00", " ")
	return fmt.Sprintf("%s (process %s)", words, filepath.Base(process))
}
