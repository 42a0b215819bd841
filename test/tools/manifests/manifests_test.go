// Package manifests checks the files in deploy that orchestrators read.
package manifests

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	"sigs.k8s.io/yaml"
)

const dir = "../../../deploy/kubernetes"

// kinds are the objects of the base, by API version and kind.
var kinds = map[string]func() any{
	"apps/v1 Deployment":                 func() any { return new(appsv1.Deployment) },
	"apps/v1 StatefulSet":                func() any { return new(appsv1.StatefulSet) },
	"v1 Service":                         func() any { return new(corev1.Service) },
	"policy/v1 PodDisruptionBudget":      func() any { return new(policyv1.PodDisruptionBudget) },
	"networking.k8s.io/v1 NetworkPolicy": func() any { return new(networkingv1.NetworkPolicy) },
}

// An object is a document of a file, as it is and as its kind.
type object struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Metadata   struct {
		Name string `json:"name"`
	} `json:"metadata"`
	typed any
}

// load reads all objects of the base. A field that the kind does not have, or of
// another type, fails the test.
func load(t *testing.T) (list []object) {
	t.Helper()
	var base struct{ Resources []string }
	read(t, "kustomization.yaml", &base)
	for _, file := range base.Resources {
		text, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			t.Fatal(err)
		}
		for _, document := range bytes.Split(text, []byte("\n---\n")) {
			list = append(list, parse(t, file, document))
		}
	}
	return list
}

func read(t *testing.T, file string, into any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, file))
	if err == nil {
		err = yaml.Unmarshal(text, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func parse(t *testing.T, file string, document []byte) (o object) {
	t.Helper()
	if err := yaml.Unmarshal(document, &o); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	kind := kinds[o.APIVersion+" "+o.Kind]
	if kind == nil {
		t.Fatalf("%s: %s %s, want one of the kinds of the base", file, o.APIVersion, o.Kind)
	}
	o.typed = kind()
	if err := yaml.UnmarshalStrict(document, o.typed); err != nil {
		t.Errorf("%s: %s %s: %v", file, o.Kind, o.Metadata.Name, err)
	}
	return o
}

func TestObjects(t *testing.T) {
	var got []string
	for _, o := range load(t) {
		got = append(got, o.Kind+" "+o.Metadata.Name)
	}
	slices.Sort(got)
	want := "Deployment quotes, Deployment redis, NetworkPolicy postgres, NetworkPolicy quotes, NetworkPolicy redis, NetworkPolicy settler, " +
		"PodDisruptionBudget quotes, PodDisruptionBudget settler, Service postgres, Service quotes, Service redis, Service settler, " +
		"StatefulSet postgres, StatefulSet settler"
	if strings.Join(got, ", ") != want {
		t.Errorf("objects = %s, want %s", strings.Join(got, ", "), want)
	}
}

// Every pod has probes and a limit of memory, runs without root, and gets no
// variables of services, which the programs would refuse.
func TestPods(t *testing.T) {
	for _, o := range load(t) {
		var pod corev1.PodSpec
		switch typed := o.typed.(type) {
		case *appsv1.Deployment:
			pod = typed.Spec.Template.Spec
		case *appsv1.StatefulSet:
			pod = typed.Spec.Template.Spec
		default:
			continue
		}
		if pod.EnableServiceLinks == nil || *pod.EnableServiceLinks || pod.SecurityContext.RunAsNonRoot == nil || !*pod.SecurityContext.RunAsNonRoot {
			t.Errorf("%s: service links or root, want neither", o.Metadata.Name)
		}
		for _, c := range pod.Containers {
			if c.ReadinessProbe == nil || c.LivenessProbe == nil || c.Resources.Limits.Memory().IsZero() || *c.SecurityContext.AllowPrivilegeEscalation {
				t.Errorf("%s: want probes, a limit of memory and no escalation", c.Name)
			}
		}
	}
}

// Two quote services and two settlers.
func TestReplicas(t *testing.T) {
	for _, o := range load(t) {
		switch typed := o.typed.(type) {
		case *appsv1.Deployment:
			if typed.Name == "quotes" && *typed.Spec.Replicas != 2 {
				t.Errorf("replicas of quotes = %d, want 2", *typed.Spec.Replicas)
			}
		case *appsv1.StatefulSet:
			if typed.Name == "settler" && *typed.Spec.Replicas != 2 {
				t.Errorf("replicas of the settler = %d, want 2", *typed.Spec.Replicas)
			}
		}
	}
}

// A composed service has no key that compose does not have, and uses networks and
// volumes that are declared.
func TestCompose(t *testing.T) {
	text, err := os.ReadFile("../../../deploy/compose.yml")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Services          map[string]map[string]any
		Networks, Volumes map[string]any
	}
	if err := yaml.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	known := []string{
		"cap_drop", "command", "depends_on", "entrypoint", "env_file", "environment", "image", "networks", "ports", "read_only",
		"restart", "security_opt", "stop_grace_period", "volumes",
	}
	if len(file.Services) != 6 {
		t.Errorf("services = %d, want 6", len(file.Services))
	}
	for name, service := range file.Services {
		for key := range service {
			if !slices.Contains(known, key) {
				t.Errorf("%s: %s is no key of compose that is used here", name, key)
			}
		}
		for _, network := range service["networks"].([]any) {
			if _, ok := file.Networks[network.(string)]; !ok {
				t.Errorf("%s: network %s is not declared", name, network)
			}
		}
		needs, _ := service["depends_on"].([]any)
		for _, other := range needs {
			if file.Services[other.(string)] == nil {
				t.Errorf("%s depends on %s, which is not declared", name, other)
			}
		}
	}
}
