// Deep equality that says where it fails.

const isObject = x => typeof x === 'object' && x !== null

// differences lists every leaf in which got is not want. A field that only one
// side has is a difference too.
export function differences(got, want, path = '') {
  if (!isObject(got) || !isObject(want) || Array.isArray(got) !== Array.isArray(want)) {
    return Object.is(got, want) ? [] : [{ path, got: show(got), want: show(want) }]
  }
  const keys = new Set([...Object.keys(want), ...Object.keys(got)])
  return [...keys].flatMap(k => differences(got[k], want[k], path ? `${path}.${k}` : k))
}

const show = x => x === undefined ? 'absent' : JSON.stringify(x)
