package contracts_test

import "testing"

// The list of mutants that no test kills excuses each of them by its code. What
// has since changed must be judged again.
func TestSurvivorsAreMutantsOfTheSources(t *testing.T) {
	t.Parallel()
	run(t, "node", "tools/mutate.mjs", "--check")
}
