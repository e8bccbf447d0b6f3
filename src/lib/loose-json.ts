/**
 * Repairs almost valid JSON from models: fenced, with raw line breaks or trailing commas, repeated,
 * or followed by a tag.
 */

/** Returns the JSON text that the model intended; undefined if no repair is needed. */
export function tightened(text: string): string | undefined {
  const { values, rest: remainder } = scanned(unfenced(text))
  const isOver = /^\s*(?:<[/|][^<>]{0,60}>\s*)*$/.test(remainder)
  if (values.length === 0 || !isOver) return undefined
  // An empty object before the intended object is a placeholder.
  const objects = [...new Set(values.filter((value) => value !== '{}'))]
  if (objects.length > 1) return undefined
  const intended = objects[0] ?? '{}'
  return intended === text ? undefined : intended
}

/** Returns the content of a code fence that encloses the whole text. */
function unfenced(text: string): string {
  const trimmed = text.trim()
  const [first = ''] = trimmed.split('\n', 1)
  const isFenced = /^```(?:json)?[ \t]*$/.test(first) && trimmed.endsWith('```')
  return isFenced ? trimmed.slice(first.length, -3) : text
}

/** Maximum number of values in the model's text: an object and surrounding fragments. */
const VALUES = 4

/** Returns the objects at the start of the text, each repaired, and the text after them. */
function scanned(text: string): { readonly values: readonly string[]; readonly rest: string } {
  const values: string[] = []
  let remainder = text.trimStart()
  while (remainder.startsWith('{') && values.length < VALUES) {
    const end = closing(remainder)
    if (end === undefined) break
    values.push(mendedObject(remainder.slice(0, end)))
    remainder = remainder.slice(end).trimStart()
  }
  return { values, rest: remainder }
}

/** Returns the position after the bracket that closes the text's first bracket. */
function closing(text: string): number | undefined {
  let depth = 0
  for (const { 0: token, index } of text.matchAll(TOKENS)) {
    if (token === '{' || token === '[') depth += 1
    if (token === '}' || token === ']') depth -= 1
    if (depth === 0) return index + token.length
  }
  return undefined
}

const TOKENS = /"(?:[^"\\]|\\[\s\S])*(?:"|\\?$)|[{}[\],]|[^"{}[\],]+/g

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is escaped
const CONTROL = /[\u0000-\u001f]/g

/** Escapes raw control characters in JSON text. */
export const withoutRawControls = (text: string): string =>
  text.replace(CONTROL, (raw) => JSON.stringify(raw).slice(1, -1))

function mendedObject(text: string): string {
  const tokens = [...text.matchAll(TOKENS)].map(([token]) => token)
  return tokens
    .map((token, index) => {
      if (token.startsWith('"')) return withoutRawControls(token)
      const next = tokens.slice(index + 1, index + 3).find((follower) => follower.trim() !== '')
      return token === ',' && (next === '}' || next === ']') ? '' : token
    })
    .join('')
}
