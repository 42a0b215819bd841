package manifests

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/compose-spec/compose-go/v2/loader"
	"github.com/compose-spec/compose-go/v2/types"
)

// checkCompose loads the file as Compose does, by its schema, and compares what the
// services name with what is there.
func checkCompose(ctx context.Context, text []byte, known names) error {
	project, err := loader.LoadWithContext(ctx, types.ConfigDetails{
		ConfigFiles: []types.ConfigFile{{Filename: "compose.yml", Content: text}},
	}, func(o *loader.Options) { o.SkipResolveEnvironment = true }) // files with secrets are the operator's
	if err != nil {
		return err
	}
	var errs []error
	if want := []string{"postgres", "quotes-1", "quotes-2", "redis", "settler-1", "settler-2"}; !slices.Equal(project.ServiceNames(), want) {
		errs = append(errs, fmt.Errorf("services %v, want %v", project.ServiceNames(), want))
	}
	for name, service := range project.Services {
		if err := errors.Join(checkComposed(service, known), checkProxy(service, project.Networks["outside"])); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", name, err))
		}
	}
	return errors.Join(errs...)
}

func checkComposed(service types.ServiceConfig, known names) error {
	if service.Restart != types.RestartPolicyAlways {
		return fmt.Errorf("restart %q, want always", service.Restart)
	}
	for _, port := range service.Ports {
		if port.HostIP != "127.0.0.1" || port.Target != 8080 {
			return fmt.Errorf("publishes %d on %q, want 8080 on this machine alone", port.Target, port.HostIP)
		}
	}
	program, _, isProgram := strings.Cut(service.Name, "-")
	if isProgram && (!service.ReadOnly || !slices.Equal(service.CapDrop, []string{"ALL"}) || len(service.SecurityOpt) != 1) {
		return errors.New("want a read-only root, no capability and no new privileges")
	}
	given := map[string]string{}
	for name, value := range service.Environment {
		if value == nil {
			return fmt.Errorf("%s has no value", name)
		}
		given[name] = *value
	}
	if err := known.check(program, given); err != nil {
		return err
	}
	if program == "quotes" {
		return checkDrain(given["HUBQUOTE_DRAIN_DELAY"], grace(service))
	}
	return nil
}

// checkProxy wants quote services to believe the gateway of their network, which is
// the peer of every connection to a published port, and no other address.
func checkProxy(service types.ServiceConfig, outside types.NetworkConfig) error {
	if !strings.HasPrefix(service.Name, "quotes-") {
		return nil
	}
	trusted := service.Environment["HUBQUOTE_TRUSTED_PROXIES"]
	if len(outside.Ipam.Config) != 1 || trusted == nil || *trusted != outside.Ipam.Config[0].Gateway+"/32" {
		return errors.New("trusted proxies, want the gateway of the network outside alone")
	}
	return nil
}

func grace(service types.ServiceConfig) time.Duration {
	if service.StopGracePeriod == nil {
		return 10 * time.Second // as Compose has it
	}
	return time.Duration(*service.StopGracePeriod)
}
