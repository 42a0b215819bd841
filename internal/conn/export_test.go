package conn

// Begun returns how many connections have sent a part of their next request.
func (t *Table) Begun() (n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, c := range t.all() {
		if c.sets.Load() > 1 {
			n++
		}
	}
	return n
}
