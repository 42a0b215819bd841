package manifests

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation"
)

// access is who may reach which port of each workload, and which directions its
// policy closes otherwise.
var access = map[string]string{
	"quotes":   "Ingress: all to http, app=prometheus to metrics",
	"settler":  "Ingress: app=quotes to http, app=prometheus to metrics",
	"redis":    "Ingress Egress: app=quotes to redis",
	"postgres": "Ingress Egress: app=settler to postgres",
}

// replicas of each workload.
var replicas = map[string]int{"quotes": 2, "settler": 2, "redis": 1, "postgres": 1}

// check compares all that the objects name with what is there.
func (b *base) check(known names) error {
	var errs []error
	add := func(kind, name string, err error) {
		if err != nil {
			errs = append(errs, fmt.Errorf("%s %s: %w", kind, name, err))
		}
	}
	for _, w := range b.workloads {
		add("workload", w.name, errors.Join(w.check(known), b.checkIdentity(w)))
	}
	for _, s := range b.services {
		add("Service", s.Name, b.checkService(s))
	}
	for _, p := range b.budgets {
		add("PodDisruptionBudget", p.Name, b.checkBudget(p))
	}
	for _, p := range b.policies {
		add("NetworkPolicy", p.Name, b.checkPolicy(p))
	}
	if len(b.workloads) != len(replicas) || len(b.services) != len(replicas) || len(b.policies) != len(access) || len(b.budgets) != 2 {
		add("base", "", errors.New("want four workloads with a Service and a NetworkPolicy each, and two budgets"))
	}
	return errors.Join(errs...)
}

func (b *base) checkIdentity(w workload) error {
	if w.replicas != replicas[w.name] {
		return fmt.Errorf("%d replicas, want %d", w.replicas, replicas[w.name])
	}
	if w.service != "" && !slices.ContainsFunc(b.services, func(s *corev1.Service) bool { return s.Name == w.service }) {
		return fmt.Errorf("serviceName %s is not a Service", w.service)
	}
	return nil
}

func (b *base) checkService(s *corev1.Service) error {
	w, err := b.find(&metav1.LabelSelector{MatchLabels: s.Spec.Selector})
	if err != nil || w.name != s.Name {
		return fmt.Errorf("leads to %q, want the pods of its name: %w", w.name, err)
	}
	for _, p := range s.Spec.Ports {
		if len(validation.IsValidPortNum(int(p.Port))) > 0 {
			return fmt.Errorf("port %d is not valid", p.Port)
		}
		if err := w.checkPort(&p.TargetPort); err != nil {
			return err
		}
	}
	return nil
}

// checkBudget wants a budget that lets one pod go, so that a node can be emptied.
func (b *base) checkBudget(p *policyv1.PodDisruptionBudget) error {
	w, err := b.find(p.Spec.Selector)
	if err == nil && (p.Spec.MinAvailable == nil || p.Spec.MinAvailable.IntValue() != w.replicas-1) {
		err = fmt.Errorf("minAvailable = %v of %d replicas, want one less", p.Spec.MinAvailable, w.replicas)
	}
	return err
}

func (b *base) checkPolicy(p *networkingv1.NetworkPolicy) error {
	w, err := b.find(&p.Spec.PodSelector)
	if err != nil {
		return err
	}
	var rules []string
	for _, rule := range p.Spec.Ingress {
		for _, port := range rule.Ports {
			if err := w.checkPort(port.Port); err != nil {
				return err
			}
			rules = append(rules, fmt.Sprintf("%s to %s", peers(rule.From), port.Port))
		}
		if len(rule.Ports) == 0 {
			rules = append(rules, peers(rule.From)+" to every port")
		}
	}
	got := strings.Trim(fmt.Sprint(p.Spec.PolicyTypes), "[]") + ": " + strings.Join(rules, ", ")
	if want := access[w.name]; got != want || len(p.Spec.Egress) > 0 {
		return fmt.Errorf("lets %q in and %d ways out, want %q and none", got, len(p.Spec.Egress), want)
	}
	return nil
}

func peers(from []networkingv1.NetworkPolicyPeer) string {
	if len(from) == 0 {
		return "all"
	}
	var list []string
	for _, peer := range from {
		if peer.NamespaceSelector != nil || peer.IPBlock != nil {
			return "other namespaces or networks"
		}
		list = append(list, metav1.FormatLabelSelector(peer.PodSelector))
	}
	return strings.Join(list, " and ")
}
