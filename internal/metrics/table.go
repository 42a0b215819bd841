package metrics

import "github.com/prometheus/client_golang/prometheus"

// A Table is gauges of one name that are read together at scrape time. Which there
// are may change.
type Table struct {
	Name, Help string
	Labels     []string // their names
	Read       func() []Sample
}

// A Sample is one gauge of a [Table].
type Sample struct {
	Labels []string // values, in the order of the names
	Value  float64
}

// WatchTables adds tables.
func (m *Metrics) WatchTables(tables ...Table) {
	for _, t := range tables {
		m.registry.MustRegister(&collector{t, prometheus.NewDesc(t.Name, t.Help, t.Labels, nil)})
	}
}

// A collector is a table as Prometheus reads it.
type collector struct {
	Table
	desc *prometheus.Desc
}

// Describe sends what does not change.
func (c *collector) Describe(out chan<- *prometheus.Desc) { out <- c.desc }

// Collect sends the samples.
func (c *collector) Collect(out chan<- prometheus.Metric) {
	for _, s := range c.Read() {
		out <- prometheus.MustNewConstMetric(c.desc, prometheus.GaugeValue, s.Value, s.Labels...)
	}
}
