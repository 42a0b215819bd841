package manifests

import (
	"errors"
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation"
)

func matches(s *metav1.LabelSelector, w workload) bool {
	selector, err := metav1.LabelSelectorAsSelector(s)
	return err == nil && selector.Matches(labels.Set(w.template.Labels))
}

// check compares all that the pods of a workload name with what is there.
func (w workload) check(known names) error {
	pod := w.template.Spec
	var errs []error
	if !matches(w.selector, w) {
		errs = append(errs, fmt.Errorf("selector %s does not match its pods", metav1.FormatLabelSelector(w.selector)))
	}
	for _, spread := range pod.TopologySpreadConstraints {
		if !matches(spread.LabelSelector, w) {
			errs = append(errs, fmt.Errorf("spread %s does not match its pods", metav1.FormatLabelSelector(spread.LabelSelector)))
		}
	}
	if !isFalse(pod.EnableServiceLinks) || !isFalse(pod.AutomountServiceAccountToken) {
		errs = append(errs, errors.New("service links or a token, want neither"))
	}
	if s := pod.SecurityContext; s == nil || s.RunAsNonRoot == nil || !*s.RunAsNonRoot || s.SeccompProfile == nil {
		errs = append(errs, errors.New("want no root, and a seccomp profile"))
	}
	for _, c := range pod.Containers {
		errs = append(errs, w.checkContainer(c), w.checkMounts(c), known.check(w.name, variables(c)))
		errs = append(errs, w.checkProbe(c.ReadinessProbe, known), w.checkProbe(c.LivenessProbe, known))
	}
	errs = append(errs, w.checkGrace())
	return errors.Join(errs...)
}

func isFalse(b *bool) bool { return b != nil && !*b }

func (w workload) checkContainer(c corev1.Container) error {
	if c.Resources.Limits.Memory().IsZero() || c.SecurityContext == nil || !isFalse(c.SecurityContext.AllowPrivilegeEscalation) {
		return errors.New("want a limit of memory and no escalation")
	}
	for _, p := range c.Ports {
		if len(validation.IsValidPortNum(int(p.ContainerPort))) > 0 || len(validation.IsValidPortName(p.Name)) > 0 {
			return fmt.Errorf("port %s %d is not valid", p.Name, p.ContainerPort)
		}
	}
	return nil
}

func (w workload) checkMounts(c corev1.Container) error {
	for _, m := range c.VolumeMounts {
		isVolume := slices.ContainsFunc(w.template.Spec.Volumes, func(v corev1.Volume) bool { return v.Name == m.Name })
		isClaim := slices.ContainsFunc(w.claims, func(v corev1.PersistentVolumeClaim) bool { return v.Name == m.Name })
		if !isVolume && !isClaim {
			return fmt.Errorf("mount %s has no volume", m.Name)
		}
	}
	return nil
}

func (w workload) checkProbe(p *corev1.Probe, known names) error {
	switch {
	case p == nil:
		return errors.New("no probe, want one for life and one for readiness")
	case p.HTTPGet != nil && !known.paths[p.HTTPGet.Path]:
		return fmt.Errorf("probe of %s, want a path of the interface", p.HTTPGet.Path)
	case p.HTTPGet != nil:
		return w.checkPort(&p.HTTPGet.Port)
	case p.TCPSocket != nil:
		return w.checkPort(&p.TCPSocket.Port)
	case p.Exec == nil:
		return errors.New("a probe that asks nothing")
	}
	return nil
}

// checkPort wants a port by the name that a container of the workload gives it.
func (w workload) checkPort(port *intstr.IntOrString) error {
	for _, c := range w.template.Spec.Containers {
		if port != nil && slices.ContainsFunc(c.Ports, func(p corev1.ContainerPort) bool { return p.Name == port.StrVal }) {
			return nil
		}
	}
	return fmt.Errorf("port %s is not a name of a port of %s", port, w.name)
}

// checkGrace wants more time to stop than the program takes.
func (w workload) checkGrace() error {
	var given time.Duration
	if seconds := w.template.Spec.TerminationGracePeriodSeconds; seconds != nil {
		given = time.Duration(*seconds) * time.Second
	}
	for _, c := range w.template.Spec.Containers {
		if drain, ok := variables(c)["HUBQUOTE_DRAIN_DELAY"]; ok {
			return checkDrain(drain, given)
		}
	}
	return nil
}

// inProgress is how long hubquote lets requests go on after the drain delay.
const inProgress = 12 * time.Second

func checkDrain(delay string, given time.Duration) error {
	drain, err := time.ParseDuration(delay)
	if err == nil && given <= drain+inProgress {
		err = fmt.Errorf("%v to stop, want more than %v", given, drain+inProgress)
	}
	return err
}

func variables(c corev1.Container) map[string]string {
	list := map[string]string{}
	for _, v := range c.Env {
		list[v.Name] = v.Value
	}
	return list
}
