package health

import (
	"fmt"

	"hubquote/internal/issuer"
	"hubquote/internal/metrics"
	"hubquote/internal/quorum"
	"hubquote/internal/upstream"
)

// Gauges returns the metrics of the configured upstreams.
func (u *Upstreams) Gauges() (list []metrics.Gauge) {
	if u.Registries != nil {
		for i, h := range u.Registries.Health() {
			list = append(list, u.registryGauges(i, h)...)
		}
	}
	if u.Issuer != nil {
		for i, source := range u.Issuer.Health() {
			list = append(list, u.feeGauge(i, source))
		}
	}
	if u.Shared != nil {
		list = append(list, metrics.Gauge{
			Name: "hubquote_limiter_degraded", Help: "Whether this replica counts alone because Redis is lost.",
			Read: func() float64 { return number(u.Shared.Degraded()) },
		})
	}
	return list
}

// registryGauges are those of the i-th chain and its endpoints.
func (u *Upstreams) registryGauges(i int, h quorum.Health) []metrics.Gauge {
	chain := fmt.Sprint(h.Chain)
	list := []metrics.Gauge{{
		Name: "hubquote_registry_up", Help: "Whether enough endpoints of a chain did their part when last asked.",
		Labels: map[string]string{"chain": chain},
		Read:   func() float64 { return number(u.Registries.Health()[i].Up) },
	}}
	for j := range h.Endpoints {
		list = append(list, metrics.Gauge{
			Name: "hubquote_registry_breaker_open", Help: "Whether an endpoint, counted in the order of the configuration, is being left alone.",
			Labels: map[string]string{"chain": chain, "endpoint": fmt.Sprint(j + 1)},
			Read:   func() float64 { return number(u.Registries.Health()[i].Endpoints[j].Breaker != upstream.Closed) },
		})
	}
	return list
}

func (u *Upstreams) feeGauge(i int, source issuer.SourceHealth) metrics.Gauge {
	return metrics.Gauge{
		Name: "hubquote_issuer_fee_age_seconds", Help: "How old the issuer's fee for a source domain is; -1 before there is one.",
		Labels: map[string]string{"domain": fmt.Sprint(source.Source)},
		Read:   func() float64 { return age(u.Issuer.Health()[i]) },
	}
}

func age(s issuer.SourceHealth) float64 {
	if !s.Known {
		return -1
	}
	return s.Age.Seconds()
}

func number(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
