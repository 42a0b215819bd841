package manifests

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

const repository = "../../.."

// load reads deploy into memory, by path.
func load(t *testing.T) fstest.MapFS {
	t.Helper()
	files := fstest.MapFS{}
	for _, pattern := range []string{"compose.yml", "kubernetes/*.yaml"} {
		paths, err := filepath.Glob(filepath.Join(repository, "deploy", pattern))
		if err != nil || len(paths) == 0 {
			t.Fatalf("no files %s: %v", pattern, err)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			name, _ := filepath.Rel(filepath.Join(repository, "deploy"), path)
			files[name] = &fstest.MapFile{Data: text}
		}
	}
	return files
}

func known(t *testing.T) names {
	t.Helper()
	n, err := readNames(os.DirFS(repository))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// check checks all files of deploy.
func check(ctx context.Context, deploy fstest.MapFS, n names) error {
	dir, err := fs.Sub(deploy, "kubernetes")
	if err != nil {
		return err
	}
	b, err := read(dir)
	if err == nil {
		err = b.check(n)
	}
	return errors.Join(err, checkCompose(ctx, deploy["compose.yml"].Data, n))
}

func TestManifests(t *testing.T) {
	if err := check(t.Context(), load(t), known(t)); err != nil {
		t.Errorf("deploy is refused, want it accepted: %v", err)
	}
}

func TestAlteredManifestsAreRefused(t *testing.T) {
	const (
		kustomization, quotes, network = "kubernetes/kustomization.yaml", "kubernetes/quotes.yaml", "kubernetes/network.yaml"
		settler, redis, postgres       = "kubernetes/settler.yaml", "kubernetes/redis.yaml", "kubernetes/postgres.yaml"
		compose                        = "compose.yml"
	)
	tests := []struct{ name, file, from, to, want string }{
		{"an unknown field of the kustomization", kustomization, "labels:\n", "lables:\n", "lables"},
		{"a wrong kind of the kustomization", kustomization, "kind: Kustomization", "kind: Kustomisation", "Kustomisation"},
		{"a label of the wrong type", kustomization, "{app.kubernetes.io/part-of: hubquote}", `{"not a label!": [1]}`, "labels"},
		{"a label with a wrong name", kustomization, "{app.kubernetes.io/part-of: hubquote}", `{"not a label!": a}`, "labels"},
		{"a file that is not listed", kustomization, "  - network.yaml\n", "", "lists"},
		{"a selector that does not match its pods", quotes, "replicas: 2\n  selector: {matchLabels: {app: quotes}}", "replicas: 2\n  selector: {matchLabels: {app: quote}}", "app=quote does"},
		{"a spread that does not match its pods", quotes, "labelSelector: {matchLabels: {app: quotes}}", "labelSelector: {matchLabels: {app: quote}}", "spread"},
		{"an unknown rule of spreading", quotes, "whenUnsatisfiable: ScheduleAnyway", "whenUnsatisfiable: Sometimes", "Sometimes"},
		{"a Service to a port without that name", quotes, "targetPort: http", "targetPort: htpp", "htpp"},
		{"a probe of a path that is not served", quotes, "path: /v3/swap/healthcheck", "path: /v3/swap/health", "/v3/swap/health,"},
		{"a probe of a port without that name", quotes, "tcpSocket: {port: http}", "tcpSocket: {port: htpp}", "htpp"},
		{"an unknown variable of hubquote", quotes, "HUBQUOTE_DRAIN_DELAY", "HUBQUOTE_DRAIN_DELY", "HUBQUOTE_DRAIN_DELY"},
		{"less time to stop than draining takes", quotes, "terminationGracePeriodSeconds: 30", "terminationGracePeriodSeconds: 3", "3s to stop"},
		{"a budget that matches no pod", quotes, "minAvailable: 1\n  selector: {matchLabels: {app: quotes}}", "minAvailable: 2\n  selector: {matchLabels: {app: qoutes}}", "app=qoutes"},
		{"a budget that lets no pod go", quotes, "minAvailable: 1", "minAvailable: 2", "minAvailable = 2"},
		{"an unknown field of an object", quotes, "metadata: {name: quotes}\nspec:\n  selector", "metadata: {name: quotes}\nspec:\n  selektor", "selektor"},
		{"a port that does not exist", quotes, "containerPort: 8080", "containerPort: 808080", "808080"},
		{"one quote service", quotes, "replicas: 2", "replicas: 1", "1 replicas"},
		{"a pod as root", quotes, "runAsNonRoot: true", "runAsNonRoot: false", "no root"},
		{"a pod with variables of services", quotes, "enableServiceLinks: false", "enableServiceLinks: true", "service links"},
		{"no limit of memory", quotes, ", limits: {memory: 512Mi}", "", "limit of memory"},
		{"a policy that matches no pod", network, "podSelector: {matchLabels: {app: redis}}", "podSelector: {matchLabels: {app: rediss}}", "app=rediss"},
		{"a policy of an unknown type", network, "policyTypes: [Ingress]", "policyTypes: [Ingres]", "Ingres"},
		{"a policy that opens Postgres to all pods", network, "- from: [{podSelector: {matchLabels: {app: settler}}}]", "- from: [{podSelector: {}}]", "NetworkPolicy postgres"},
		{"a policy for a port without that name", network, "ports: [{port: postgres}]", "ports: [{port: postgre}]", "postgre is"},
		{"a StatefulSet without its Service", settler, "serviceName: settler", "serviceName: setler", "setler"},
		{"a mount without its volume", settler, "{name: key, mountPath: /key", "{name: keyy, mountPath: /key", "keyy"},
		{"a mount without its claim", postgres, "volumeMounts: [{name: data", "volumeMounts: [{name: date", "date"},
		{"an unknown variable of the settler", settler, "SETTLER_LISTEN", "SETTLER_LISTN", "SETTLER_LISTN"},
		{"an unknown seccomp profile", settler, "type: RuntimeDefault", "type: Runtimedefault", "Runtimedefault"},
		{"an unknown strategy", redis, "strategy: {type: Recreate}", "strategy: {type: Recreat}", "Recreat"},
		{"a composed volume that is not declared", compose, `volumes: ["journal:/var`, `volumes: ["jurnal:/var`, "jurnal"},
		{"a composed network that is not declared", compose, "networks: [journal]", "networks: [jurnal]", "jurnal"},
		{"a composed service that is not declared", compose, "depends_on: [redis]", "depends_on: [rediss]", "rediss"},
		{"an unknown rule of restarting", compose, "restart: always", "restart: allways", "allways"},
		{"a time to stop that is no time", compose, "stop_grace_period: 30s", "stop_grace_period: soon", "soon"},
		{"less composed time to stop than draining takes", compose, "stop_grace_period: 30s", "stop_grace_period: 17s", "17s to stop"},
		{"ports that are no ports", compose, `ports: ["127.0.0.1:8081:8080"]`, `ports: ["nonsense"]`, "nonsense"},
		{"a port published to every network", compose, `ports: ["127.0.0.1:8081:8080"]`, `ports: ["8081:8080"]`, "quotes-1"},
		{"a value of the wrong type", compose, "read_only: true", "read_only: [1]", "read_only"},
		{"an unknown field of the composed file", compose, "name: hubquote\n", "nmae: hubquote\n", "nmae"},
		{"an unknown composed variable", compose, "HUBQUOTE_REDIS", "HUBQUOTE_RDIS", "HUBQUOTE_RDIS"},
		{"a trusted network of more than the gateway", compose, "172.30.99.1/32", "172.30.99.0/24", "trusted proxies"},
		{"no trusted proxy", compose, "    HUBQUOTE_TRUSTED_PROXIES: 172.30.99.1/32\n", "", "trusted proxies"},
		{"another gateway", compose, "gateway: 172.30.99.1", "gateway: 172.30.99.2", "trusted proxies"},
		{"an unknown field of a network", compose, "limits: {internal: true}", "limits: {intrnal: true}", "intrnal"},
	}
	n := known(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			deploy := load(t)
			text := string(deploy[tt.file].Data)
			if !strings.Contains(text, tt.from) {
				t.Fatalf("%s has no %q, want it there to alter", tt.file, tt.from)
			}
			deploy[tt.file].Data = []byte(strings.Replace(text, tt.from, tt.to, 1))
			if err := check(t.Context(), deploy, n); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%s with %q: error %v, want one about %q", tt.file, tt.to, err, tt.want)
			}
		})
	}
}
