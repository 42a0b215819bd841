package postgres

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"

	"github.com/jackc/pgx/v5"
)

// Replica starts a copy of the server that follows it by streaming. With
// synchronous, the server answers a commit only when the replica has it too.
func (s *Server) Replica(ctx context.Context, synchronous bool) (*Server, error) {
	dir, err := os.MkdirTemp("", "postgres")
	if err != nil {
		return nil, err
	}
	r := &Server{bin: s.bin, dir: dir}
	if err := errors.Join(r.copyOf(ctx, s), r.Restart(ctx)); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	names := ""
	if synchronous {
		names = "*"
	}
	return r, s.exec(ctx, "ALTER SYSTEM SET synchronous_standby_names = '"+names+"'", "SELECT pg_reload_conf()")
}

func (s *Server) copyOf(ctx context.Context, primary *Server) error {
	id, err := s.credential()
	if err != nil {
		return err
	}
	if id != nil {
		if err := os.Chown(s.dir, int(id.Uid), int(id.Gid)); err != nil {
			return err
		}
	}
	cmd := exec.CommandContext(ctx, filepath.Join(s.bin, "pg_basebackup"), "-h", "127.0.0.1", "-p", primary.port, "-U", "settler",
		"-D", s.data(), "-R", "-X", "stream", "--checkpoint=fast", "--no-sync")
	cmd.SysProcAttr, cmd.Dir = &syscall.SysProcAttr{Credential: id}, s.dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("pg_basebackup: %w\n%s", err, out)
	}
	return nil
}

// Promote makes a replica a server of its own, with the commits that it has.
func (s *Server) Promote(ctx context.Context) error {
	return s.exec(ctx, "SELECT pg_promote(true, 60)", "ALTER SYSTEM SET synchronous_standby_names = ''", "SELECT pg_reload_conf()")
}

func (s *Server) exec(ctx context.Context, statements ...string) error {
	conn, err := pgx.Connect(ctx, "postgres://settler@"+s.Address().String()+"/postgres?sslmode=disable")
	if err != nil {
		return err
	}
	for _, text := range statements {
		if _, err = conn.Exec(ctx, text); err != nil {
			break
		}
	}
	return errors.Join(err, conn.Close(ctx))
}
