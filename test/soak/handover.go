package main

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"

	"hubquote/test/fake"
)

// handover is a quote of a single replica without a proxy, which is restarted again
// and again. The next process inherits its socket, so no request may fail.
const handover = "handover"

// A single is a replica whose socket outlives its processes, as with systemd.
type single struct {
	program string
	report  *report
	socket  *net.TCPListener
	file    *os.File
	process *fake.Process
}

func newSingle(program string, r *report) (s *single, err error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s = &single{program: program, report: r, socket: l.(*net.TCPListener)}
	if s.file, err = s.socket.File(); err != nil {
		return nil, err
	}
	return s, s.start()
}

// start starts a process and waits until it has logged that it listens.
func (s *single) start() (err error) {
	args := []string{"-c", `LISTEN_PID=$$ LISTEN_FDS=1 exec "$@"`, "sh", s.program, "serve", "--admin=", "--drain-delay", "200ms", "--trusted-proxies", "127.0.0.1/32"}
	cmd := exec.Command("sh", args...)
	cmd.Env, cmd.ExtraFiles = []string{}, []*os.File{s.file}
	ready := make(chan struct{})
	once := sync.OnceFunc(func() { close(ready) })
	s.process, err = fake.Start(cmd, func(line string) {
		if strings.Contains(line, `"listening"`) {
			once()
		}
	})
	if err != nil {
		return err
	}
	select {
	case <-ready:
		return nil
	case <-s.process.Exited:
		return fmt.Errorf("the single replica did not start: %w", s.process.Wait())
	}
}

// run restarts the replica under load until ctx ends.
func (s *single) run(ctx context.Context, every time.Duration) {
	var clients sync.WaitGroup
	for range 5 {
		clients.Go(func() { s.ask(ctx) })
	}
	for fake.Sleep(ctx, every) {
		_ = s.process.Signal(syscall.SIGTERM)
		if err := s.process.Wait(); err != nil {
			s.report.fault("exits other than 0", "the single replica: %v", err)
		}
		if err := s.start(); err != nil {
			s.report.fault("failed restarts", "%v", err)
			break
		}
		s.report.add(&s.report.handovers, 1)
	}
	clients.Wait()
}

// ask sends ten requests a second, each over a connection of its own: one that is
// kept may be closed at the moment when the next request is sent, and HTTP/1.1 has
// no way around it.
func (s *single) ask(ctx context.Context) {
	for fake.Sleep(ctx, 100*time.Millisecond) {
		answer := s.once()
		if s.report.answer(handover, answer); answer != "200" {
			s.report.fault("requests dropped at a handover", "answer: %s", answer)
		}
	}
}

func (s *single) once() string {
	conn, err := net.DialTimeout("tcp", s.socket.Addr().String(), 10*time.Second)
	if err != nil {
		return "none"
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(10 * time.Second))
	fmt.Fprint(conn, head(quotePath)+"Connection: close\r\n\r\n")
	return status(bufio.NewReader(conn))
}

func (s *single) close() {
	if s.process != nil {
		s.process.Kill()
	}
	_ = s.file.Close()
	_ = s.socket.Close()
}
