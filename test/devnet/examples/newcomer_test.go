package examples_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"hubquote/test/devnet/devnettest"
	"hubquote/test/devnet/stack"
	"hubquote/test/reference"
)

const root = "../../.."

// A newcomer has a clone, a devnet that is up, and nothing else.
type newcomer struct {
	home  string // has the clone, and a folder for each attempt
	stack *stack.Stack
	doors atomic.Uint32
}

func newNewcomer(t *testing.T) *newcomer {
	t.Helper()
	n := &newcomer{home: t.TempDir()}
	if err := clone(n.path("hubquote")); err != nil {
		t.Fatal(err)
	}
	var err error
	n.stack, err = stack.Start(t.Context(), stack.Options{Catalog: reference.Catalog(t), Anvil: devnettest.Anvil(t, root)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(n.stack.Close)
	return n
}

func (n *newcomer) path(names ...string) string {
	return filepath.Join(append([]string{n.home}, names...)...)
}

// clone copies what git has, with the changes that are not committed yet.
func clone(to string) error {
	list := exec.Command("git", "ls-files", "--cached", "--others", "--exclude-standard")
	list.Dir = root
	names, err := list.Output()
	if err != nil {
		return err
	}
	for name := range strings.Lines(string(names)) {
		name = strings.TrimSpace(name)
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			continue // deleted, and not committed yet
		}
		if err := os.MkdirAll(filepath.Join(to, filepath.Dir(name)), 0o755); err != nil {
			return err
		}
		mode := os.FileMode(0o644)
		if bytes.HasPrefix(text, []byte("#!")) {
			mode = 0o755
		}
		if err := os.WriteFile(filepath.Join(to, name), text, mode); err != nil {
			return err
		}
	}
	return nil
}

// door opens a way to the service for one client, because each has a limit. With
// a lie every answer is changed by it.
func (n *newcomer) door(t *testing.T, lie func([]byte) []byte) string {
	t.Helper()
	service, err := url.Parse(n.stack.URL)
	if err != nil {
		t.Fatal(err)
	}
	client := fmt.Sprintf("10.0.0.%d", n.doors.Add(1))
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(service)
		r.Out.Host = service.Host
		r.Out.Header.Set("X-Forwarded-For", client)
	}}
	if lie != nil {
		proxy.ModifyResponse = func(r *http.Response) error {
			body, err := io.ReadAll(r.Body)
			body = lie(body)
			r.Body = io.NopCloser(bytes.NewReader(body))
			r.ContentLength = int64(len(body))
			r.Header.Set("Content-Length", strconv.Itoa(len(body)))
			return err
		}
	}
	s := httptest.NewServer(proxy)
	t.Cleanup(s.Close)
	return s.URL
}

// An attempt is a folder that was empty, with an own way to the service.
type attempt struct {
	*newcomer
	folder string
	env    []string
}

func (n *newcomer) attempt(t *testing.T, name string) *attempt {
	t.Helper()
	a := &attempt{newcomer: n, folder: n.path(name)}
	if err := os.Mkdir(a.folder, 0o755); err != nil {
		t.Fatal(err)
	}
	tools, err := filepath.Abs(filepath.Join(root, "contracts/node_modules/.bin"))
	if err != nil {
		t.Fatal(err)
	}
	path := strings.Join([]string{n.path("hubquote", "bin"), tools, os.Getenv("PATH")}, ":")
	// Go uses again what make build compiled, and npm looks into its cache before it
	// asks a registry.
	a.env = append(os.Environ(), "PATH="+path, "GOFLAGS=-trimpath", "CGO_ENABLED=0", "npm_config_prefer_offline=true", "npm_config_audit=false", "npm_config_fund=false")
	return a
}

// try runs commands in the folder, as a shell does, with the service at its door.
func (a *attempt) try(script, server string) (string, error) {
	cmd := exec.Command("sh", "-ec", strings.ReplaceAll(script, "http://127.0.0.1:8080", server))
	cmd.Dir = a.folder
	cmd.Env = append(a.env[:len(a.env):len(a.env)], "SERVER="+server)
	var out, complaints bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaints
	err := cmd.Run()
	if err != nil {
		err = fmt.Errorf("%w\n%s\n%s%s", err, script, &out, &complaints)
	}
	return out.String() + complaints.String(), err
}

// do is try for what must succeed.
func (a *attempt) do(t *testing.T, script, server string) string {
	t.Helper()
	out, err := a.try(script, server)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func (a *attempt) write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(a.folder, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
