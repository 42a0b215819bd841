package manifests

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
)

// enums has the values of each type of Kubernetes that is a string with few values.
// The types themselves accept any string.
var enums = map[reflect.Type]string{
	reflect.TypeFor[networkingv1.PolicyType]():              "Ingress Egress",
	reflect.TypeFor[corev1.UnsatisfiableConstraintAction](): "DoNotSchedule ScheduleAnyway",
	reflect.TypeFor[appsv1.DeploymentStrategyType]():        "Recreate RollingUpdate",
	reflect.TypeFor[corev1.SeccompProfileType]():            "RuntimeDefault",
	reflect.TypeFor[corev1.PersistentVolumeAccessMode]():    "ReadWriteOnce ReadWriteOncePod",
	reflect.TypeFor[corev1.Capability]():                    "ALL",
}

// checkEnums refuses a value that its type does not have, in any field of an object.
// A type that enums does not have is refused too, so that the list stays complete.
func checkEnums(object any) error {
	return walk(reflect.ValueOf(object))
}

func walk(v reflect.Value) error {
	switch v.Kind() {
	case reflect.String:
		return checkEnum(v)
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			return walk(v.Elem())
		}
	case reflect.Slice:
		return each(v.Len(), v.Index)
	case reflect.Struct:
		return each(v.NumField(), v.Field)
	}
	return nil
}

func each(n int, element func(int) reflect.Value) error {
	for i := range n {
		if err := walk(element(i)); err != nil {
			return err
		}
	}
	return nil
}

func checkEnum(v reflect.Value) error {
	if v.Type() == reflect.TypeFor[string]() || v.String() == "" {
		return nil
	}
	if !slices.Contains(strings.Fields(enums[v.Type()]), v.String()) {
		return fmt.Errorf("%s %q, want one of %q", v.Type(), v.String(), enums[v.Type()])
	}
	return nil
}
