const shown = 80
const prints = /[\p{L}\p{M}\p{N}\p{P}\p{S} ]/u

/**
 * Makes text of a server safe to show: characters that do not print, or would move
 * a cursor, are shown as escapes, and at most 80 characters are shown.
 */
export function printable(text: string): string {
  const runes = [...text.slice(0, 2 * shown + 2)]
  const safe = runes.slice(0, shown).map((c) => (prints.test(c) ? c : escape(c)))
  return safe.join('') + (runes.length > shown ? '…' : '')
}

function escape(rune: string): string {
  const code = (rune.codePointAt(0) as number).toString(16)
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`
}

/** More than any amount has characters. */
const maxUnits = 160

/**
 * Reads an amount as people write it, such as 25.5, as a count of smallest
 * units. Nothing is rounded: a decimal too many is no amount, and gives
 * undefined.
 */
export function parseUnits(text: string, decimals: number): bigint | undefined {
  if (text.length > maxUnits) return undefined
  const [, whole, fraction = ''] = /^(0|[1-9]\d*)(?:\.(\d+))?$/.exec(text) ?? []
  if (whole === undefined || fraction.length > decimals) return undefined
  return BigInt(whole + fraction.padEnd(decimals, '0'))
}

/** Writes a count of smallest units as people read it, in its shortest spelling. */
export function formatUnits(amount: bigint, decimals: number): string {
  const digits = String(amount).padStart(decimals + 1, '0')
  const point = digits.length - decimals
  let end = digits.length
  while (end > point && digits[end - 1] === '0') end--
  return digits.slice(0, point) + (end > point ? `.${digits.slice(point, end)}` : '')
}
