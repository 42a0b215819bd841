// Package image tests the image of the programs.
package image

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"hubquote/test/fake"
)

const quote = "/v3/swap/quote?srcChain=369&srcToken=USDC&dstChain=8453&dstToken=USDC&amount=1000000000&recipient=0x70997970C51812dc3A010C7d01b50e0d17dc79C8"

// The image is built twice to the same bytes. What is in it serves a quote with
// nothing else around it: no certificates, no libraries, no shell.
func TestImage(t *testing.T) {
	first, second := build(t), build(t)
	if !bytes.Equal(first, second) {
		t.Error("two builds of the image differ, want the same bytes")
	}
	root := t.TempDir()
	files := unpack(t, first, root)
	if want := "hubquote"; !strings.Contains(strings.Join(files, " "), want) {
		t.Fatalf("files of the image = %v, want %s", files, want)
	}
	for _, f := range files {
		if f != "hubquote" && f != "settler" {
			t.Errorf("the image has %s, want the programs only", f)
		}
	}
	body := ask(t, start(t, root)+quote)
	if !strings.Contains(body, `"destAmount":"995000000"`) {
		t.Errorf("quote = %s, want a destAmount of 995000000", body)
	}
}

func build(t *testing.T) []byte {
	t.Helper()
	out := filepath.Join(t.TempDir(), "image.tar")
	cmd := exec.Command("../../deploy/image.sh", out)
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("image.sh: %v\n%s", err, text)
	}
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// unpack writes the files of the image's layers to dir and returns their names.
func unpack(t *testing.T, image []byte, dir string) (files []string) {
	t.Helper()
	blobs := map[string][]byte{}
	each(t, bytes.NewReader(image), func(h *tar.Header, r io.Reader) {
		blobs[filepath.Clean(h.Name)], _ = io.ReadAll(r)
	})
	var index, manifest struct {
		Manifests, Layers []struct{ Digest string }
	}
	read(t, blobs["index.json"], &index)
	read(t, blobs[blob(index.Manifests[0].Digest)], &manifest)
	for _, layer := range manifest.Layers {
		each(t, layerOf(t, blobs[blob(layer.Digest)]), func(h *tar.Header, r io.Reader) {
			if h.Typeflag != tar.TypeReg {
				return
			}
			data, err := io.ReadAll(r)
			if err == nil {
				err = os.WriteFile(filepath.Join(dir, filepath.Clean("/"+h.Name)), data, 0o755)
			}
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, filepath.Clean(h.Name))
		})
	}
	return files
}

func blob(digest string) string { return "blobs/" + strings.ReplaceAll(digest, ":", "/") }

func read(t *testing.T, data []byte, into any) {
	t.Helper()
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatal(err)
	}
}

func layerOf(t *testing.T, data []byte) io.Reader {
	t.Helper()
	if !bytes.HasPrefix(data, []byte{0x1f, 0x8b}) {
		return bytes.NewReader(data)
	}
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func each(t *testing.T, r io.Reader, visit func(*tar.Header, io.Reader)) {
	t.Helper()
	for files := tar.NewReader(r); ; {
		h, err := files.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		visit(h, files)
	}
}

// start runs the program with root as its whole file system, and returns its base
// URL. Without the rights of root it does so in a user namespace.
func start(t *testing.T, root string) string {
	t.Helper()
	cmd := exec.Command("/hubquote", "serve", "--listen", "127.0.0.1:0", "--admin=")
	cmd.Dir, cmd.Env = "/", []string{}
	cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: root}
	if os.Geteuid() == 0 {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: 65532, Gid: 65532}
	} else {
		cmd.SysProcAttr.Cloneflags = syscall.CLONE_NEWUSER
		cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}}
	}
	if err := os.Chmod(root, 0o755); err != nil {
		t.Fatal(err)
	}
	address := make(chan string, 1)
	p, err := fake.Start(cmd, func(text string) {
		var line struct{ Msg, Address string }
		if json.Unmarshal([]byte(text), &line) == nil && line.Msg == "listening" {
			address <- line.Address
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Kill)
	select {
	case at := <-address:
		return "http://" + at
	case <-p.Exited:
		t.Fatalf("the program ended before it listened: %v", p.Wait())
		return ""
	}
}

func ask(t *testing.T, url string) string {
	t.Helper()
	resp, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}
