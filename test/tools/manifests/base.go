// Package manifests checks the files in deploy that orchestrators read: that each is
// valid by itself, and that what they name is there.
package manifests

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/yaml"
)

// A base is the objects of deploy/kubernetes.
type base struct {
	workloads []workload
	services  []*corev1.Service
	policies  []*networkingv1.NetworkPolicy
	budgets   []*policyv1.PodDisruptionBudget
}

// A workload is a Deployment or a StatefulSet.
type workload struct {
	name     string
	service  string // that names the pods of a StatefulSet
	replicas int
	selector *metav1.LabelSelector
	template corev1.PodTemplateSpec
	claims   []corev1.PersistentVolumeClaim
}

// A kustomization has the fields that the base uses, and no others.
type kustomization struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Labels     []struct {
		Pairs map[string]string `json:"pairs"`
	} `json:"labels"`
	Resources []string `json:"resources"`
}

// read returns the objects of all files that the kustomization lists, which must be
// all files beside it.
func read(dir fs.FS) (*base, error) {
	k, err := readKustomization(dir)
	if err != nil {
		return nil, err
	}
	files, err := fs.Glob(dir, "*.yaml")
	if err != nil || len(files) != len(k.Resources)+1 {
		return nil, fmt.Errorf("kustomization.yaml lists %v, want all of %v: %v", k.Resources, files, err)
	}
	b := new(base)
	for _, file := range k.Resources {
		text, err := fs.ReadFile(dir, file)
		if err != nil {
			return nil, err
		}
		for document := range bytes.SplitSeq(text, []byte("\n---\n")) {
			if err := b.add(document); err != nil {
				return nil, fmt.Errorf("%s: %w", path.Base(file), err)
			}
		}
	}
	return b, nil
}

func readKustomization(dir fs.FS) (k kustomization, err error) {
	text, err := fs.ReadFile(dir, "kustomization.yaml")
	if err != nil {
		return k, err
	}
	if err := yaml.UnmarshalStrict(text, &k); err != nil {
		return k, fmt.Errorf("kustomization.yaml: %w", err)
	}
	if k.APIVersion != "kustomize.config.k8s.io/v1beta1" || k.Kind != "Kustomization" {
		return k, fmt.Errorf("kustomization.yaml is a %s %s, want a Kustomization", k.APIVersion, k.Kind)
	}
	for _, label := range k.Labels {
		if err := validation.ValidateLabels(label.Pairs, field.NewPath("labels")).ToAggregate(); err != nil {
			return k, fmt.Errorf("kustomization.yaml: %w", err)
		}
	}
	return k, nil
}

// add parses one object. A field that its kind does not have, or a value of another
// type, is an error.
func (b *base) add(document []byte) error {
	var meta metav1.TypeMeta
	if err := yaml.Unmarshal(document, &meta); err != nil {
		return err
	}
	switch meta.APIVersion + " " + meta.Kind {
	case "apps/v1 Deployment":
		d, err := parse[appsv1.Deployment](document)
		b.workloads = append(b.workloads, workload{d.Name, "", count(d.Spec.Replicas), d.Spec.Selector, d.Spec.Template, nil})
		return err
	case "apps/v1 StatefulSet":
		s, err := parse[appsv1.StatefulSet](document)
		w := workload{s.Name, s.Spec.ServiceName, count(s.Spec.Replicas), s.Spec.Selector, s.Spec.Template, s.Spec.VolumeClaimTemplates}
		b.workloads = append(b.workloads, w)
		return err
	case "v1 Service":
		s, err := parse[corev1.Service](document)
		b.services = append(b.services, s)
		return err
	case "networking.k8s.io/v1 NetworkPolicy":
		p, err := parse[networkingv1.NetworkPolicy](document)
		b.policies = append(b.policies, p)
		return err
	case "policy/v1 PodDisruptionBudget":
		p, err := parse[policyv1.PodDisruptionBudget](document)
		b.budgets = append(b.budgets, p)
		return err
	}
	return fmt.Errorf("%s %s, want one of the kinds of the base", meta.APIVersion, meta.Kind)
}

func parse[T any](document []byte) (*T, error) {
	object := new(T)
	if err := yaml.UnmarshalStrict(document, object); err != nil {
		return object, err
	}
	return object, checkEnums(object)
}

func count(replicas *int32) int {
	if replicas == nil {
		return 1
	}
	return int(*replicas)
}

// find returns the one workload whose pods a selector matches.
func (b *base) find(s *metav1.LabelSelector) (workload, error) {
	i := slices.IndexFunc(b.workloads, func(w workload) bool { return matches(s, w) })
	if i < 0 {
		return workload{}, fmt.Errorf("selector %s matches no pod", metav1.FormatLabelSelector(s))
	}
	if slices.ContainsFunc(b.workloads[i+1:], func(w workload) bool { return matches(s, w) }) {
		return workload{}, fmt.Errorf("selector %s matches pods of several workloads", metav1.FormatLabelSelector(s))
	}
	return b.workloads[i], nil
}
