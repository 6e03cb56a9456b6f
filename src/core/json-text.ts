/** Writes JSON text without building objects first. Responses consist mostly of short plain strings and amounts. */

/** Texts that JSON writes without escapes. Characters outside the basic plane are left to `JSON.stringify`. */
const PLAIN = /^[ !#-[\]-\ud7ff\ue000-\uffff]*$/

/** The same text as `JSON.stringify(text)`. */
export function quote(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text)
}

/** The same text without the quotes around it, as a part of a longer JSON string. */
export function quotedContent(text: string): string {
  return PLAIN.test(text) ? text : JSON.stringify(text).slice(1, -1)
}

/** A whole number of hundredths as a JSON number, written like `JSON.stringify(hundredths / 100)`. */
export function hundredths(value: number): string {
  if (value < 0) return `-${hundredths(-value)}`
  const rest = value % 100
  const whole = (value - rest) / 100
  if (rest === 0) return `${whole}`
  return rest % 10 === 0 ? `${whole}.${rest / 10}` : `${whole}.${rest < 10 ? '0' : ''}${rest}`
}
