// Package postgres starts a real Postgres for tests, on a loopback port, with
// its data in a temporary folder. It never runs as root: Postgres refuses to,
// so the launcher drops to another user.
package postgres

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"

	"github.com/jackc/pgx/v5"

	"hubquote/test/fake"
)

// A Server is a running Postgres.
type Server struct {
	bin, dir, port string
	process        *fake.Process
	schemas        atomic.Int64
}

var errMissing = errors.New("no Postgres on this machine: apt-get install postgresql")

// Start makes a new, empty server.
func Start(ctx context.Context) (*Server, error) {
	bin, err := binaries()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "postgres")
	if err != nil {
		return nil, err
	}
	s := &Server{bin: bin, dir: dir}
	if err := errors.Join(s.create(ctx), s.Restart(ctx)); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// binaries returns the folder with the newest server: Debian keeps it outside
// of PATH.
func binaries() (string, error) {
	if path, err := exec.LookPath("initdb"); err == nil {
		real, err := filepath.EvalSymlinks(path)
		return filepath.Dir(real), err
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if len(found) == 0 {
		return "", errMissing
	}
	return filepath.Dir(slices.Max(found)), nil
}

func (s *Server) create(ctx context.Context) error {
	id, err := s.credential()
	if err != nil {
		return err
	}
	if id != nil {
		if err := os.Chown(s.dir, int(id.Uid), int(id.Gid)); err != nil {
			return err
		}
	}
	cmd := exec.CommandContext(ctx, filepath.Join(s.bin, "initdb"), "-D", s.data(), "-U", "settler", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
	cmd.SysProcAttr, cmd.Dir = &syscall.SysProcAttr{Credential: id}, s.dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w\n%s", err, out)
	}
	return nil
}

func (s *Server) data() string { return filepath.Join(s.dir, "data") }

// credential is the user to run as, or nil for that of this program.
func (s *Server) credential() (*syscall.Credential, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, err1 := strconv.ParseUint(u.Uid, 10, 32)
		gid, err2 := strconv.ParseUint(u.Gid, 10, 32)
		return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, errors.Join(err1, err2)
	}
	return nil, errors.New("run as root, and there is neither a user postgres nor nobody to drop to")
}

// Restart starts the server, after a stop on the same port. It returns when the
// server accepts connections.
func (s *Server) Restart(ctx context.Context) (err error) {
	if s.port == "" {
		address, err := fake.FreeAddress()
		if err != nil {
			return err
		}
		_, s.port, _ = net.SplitHostPort(address)
	}
	id, err := s.credential()
	if err != nil {
		return err
	}
	// Tests kill programs, not the machine, so nothing needs to reach the disk.
	cmd := exec.Command(filepath.Join(s.bin, "postgres"), "-D", s.data(), "-h", "127.0.0.1", "-p", s.port, "-k", "",
		"-c", "fsync=off", "-c", "full_page_writes=off", "-c", "shared_buffers=32MB", "-c", "max_connections=60", "-c", "autovacuum=off")
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: id, Pdeathsig: syscall.SIGQUIT}
	cmd.Dir = s.dir
	return s.start(ctx, cmd)
}

// start starts the server and reads its log until it accepts connections.
func (s *Server) start(ctx context.Context, cmd *exec.Cmd) (err error) {
	up := make(chan struct{})
	var last atomic.Value
	var once sync.Once
	s.process, err = fake.Start(cmd, func(line string) {
		last.Store(line)
		if strings.Contains(line, "ready to accept") { // a replica accepts read-only connections
			once.Do(func() { close(up) })
		}
	})
	if err != nil {
		return err
	}
	select {
	case <-up:
		return nil
	case <-s.process.Exited:
		return fmt.Errorf("postgres ended: %v", last.Load())
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Address is where the server listens.
func (s *Server) Address() net.Addr {
	port, _ := strconv.Atoi(s.port) // of an address that was free
	return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: port}
}

// Empty makes an empty schema and returns the URL of a connection that sees
// nothing else. A database for each test would take ten times as long.
func (s *Server) Empty(ctx context.Context) (string, error) {
	url := "postgres://settler@" + s.Address().String() + "/postgres?sslmode=disable"
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return "", err
	}
	name := fmt.Sprintf("test%d", s.schemas.Add(1))
	_, err = conn.Exec(ctx, "CREATE SCHEMA "+name)
	return url + "&search_path=" + name, errors.Join(err, conn.Close(ctx))
}

// Kill ends the server at once, as a crash would, and waits until it is gone.
func (s *Server) Kill() {
	_ = s.process.Signal(syscall.SIGQUIT)
	<-s.process.Exited
}

// Close ends the server and removes its data.
func (s *Server) Close() error {
	if s.process != nil {
		s.Kill()
	}
	return os.RemoveAll(s.dir)
}
