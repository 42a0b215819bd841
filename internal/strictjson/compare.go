package strictjson

// A Difference is where two values are not the same.
type Difference struct {
	Path      string
	Want, Got *Value // nil when there should be, or is, no such value
}

// Compare returns the first difference between two values, or nil. It goes in
// the order of want; members that only got has come behind those of their
// object that both should have. A number is the same only in the same spelling.
func Compare(want, got *Value) *Difference { return compare("", want, got) }

func compare(path string, want, got *Value) *Difference {
	if want.Kind != got.Kind || want.Text != got.Text {
		return &Difference{path, want, got}
	}
	if want.Kind == Array {
		return compareItems(path, want, got)
	}
	return compareMembers(path, want, got)
}

func compareMembers(path string, want, got *Value) *Difference {
	for _, m := range want.Members {
		at, other := Join(path, m.Key), got.member(m.Key)
		if other == nil {
			return &Difference{at, m.Value, nil}
		}
		if d := compare(at, m.Value, other); d != nil {
			return d
		}
	}
	for _, m := range got.Members {
		if want.member(m.Key) == nil {
			return &Difference{Join(path, m.Key), nil, m.Value}
		}
	}
	return nil
}

func compareItems(path string, want, got *Value) *Difference {
	for i, w := range want.Items {
		if i >= len(got.Items) {
			return &Difference{item(path, i), w, nil}
		}
		if d := compare(item(path, i), w, got.Items[i]); d != nil {
			return d
		}
	}
	if n := len(want.Items); len(got.Items) > n {
		return &Difference{item(path, n), nil, got.Items[n]}
	}
	return nil
}
