package fake

import (
	"bufio"
	"cmp"
	"io"
	"os"
	"os/exec"
	"runtime"
	"syscall"
)

// A Process is a program that this one has started. It ends at the latest when this
// program ends, also when this program is killed.
type Process struct {
	Cmd    *exec.Cmd
	Exited chan struct{} // closed once it has ended and its last line was read

	err  error // of the exit
	pipe *io.PipeWriter
	read chan struct{} // closed once all lines were read; nil without a reader
}

// Start starts cmd in a process group of its own, so that a Ctrl-C for this
// program does not reach it. Every line of its output is passed to each, unless
// that is nil. The attributes of cmd are kept; without a Pdeathsig it is SIGKILL.
func Start(cmd *exec.Cmd, each func(line string)) (*Process, error) {
	p := &Process{Cmd: cmd, Exited: make(chan struct{})}
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Setpgid = true
	cmd.SysProcAttr.Pdeathsig = cmp.Or(cmd.SysProcAttr.Pdeathsig, syscall.SIGKILL)
	if each != nil {
		p.listen(each)
	}
	started := make(chan error, 1)
	go p.run(started)
	if err := <-started; err != nil {
		<-p.Exited
		return nil, err
	}
	return p, nil
}

// listen uses a pipe of its own, because exec closes its pipes at the exit, even if
// they have not been read to the end.
func (p *Process) listen(each func(string)) {
	r, w := io.Pipe()
	p.Cmd.Stdout, p.Cmd.Stderr, p.pipe, p.read = w, w, w, make(chan struct{})
	go func() {
		defer close(p.read)
		lines := bufio.NewScanner(r)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			each(lines.Text())
		}
		_, _ = io.Copy(io.Discard, r) // after a line that is too long
	}()
}

// run starts the process and waits for its end. The kernel sends Pdeathsig when
// the thread that started the process ends, not only when the program does, so
// this goroutine keeps its thread.
func (p *Process) run(started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer close(p.Exited)
	err := p.Cmd.Start()
	started <- err
	if err == nil {
		p.err = p.Cmd.Wait()
	}
	if p.pipe != nil {
		_ = p.pipe.Close()
		<-p.read
	}
}

// Wait waits for the end, and returns the error of the exit.
func (p *Process) Wait() error {
	<-p.Exited
	return p.err
}

// Signal sends a signal.
func (p *Process) Signal(sig os.Signal) error { return p.Cmd.Process.Signal(sig) }

// Kill ends the process and waits until it is gone. It may be called again.
func (p *Process) Kill() {
	_ = p.Cmd.Process.Kill()
	<-p.Exited
}
