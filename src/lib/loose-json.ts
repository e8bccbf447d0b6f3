/**
 * JSON as models write it when they miss it by a sign: in a fence, with raw line breaks in texts,
 * with commas before a closing bracket, twice, or with a tag behind it.
 */

/** The JSON text that was plainly meant; undefined when there is nothing to mend. */
export function tightened(text: string): string | undefined {
  const { values, rest: remainder } = scanned(unfenced(text))
  const isOver = /^\s*(?:<[/|][^<>]{0,60}>\s*)*$/.test(remainder)
  if (values.length === 0 || !isOver) return undefined
  // An empty object before the real one is a placeholder.
  const objects = [...new Set(values.filter((value) => value !== '{}'))]
  if (objects.length > 1) return undefined
  const intended = objects[0] ?? '{}'
  return intended === text ? undefined : intended
}

/** The content of the one fence that the text is. */
function unfenced(text: string): string {
  const trimmed = text.trim()
  const [first = ''] = trimmed.split('\n', 1)
  const isFenced = /^```(?:json)?[ \t]*$/.test(first) && trimmed.endsWith('```')
  return isFenced ? trimmed.slice(first.length, -3) : text
}

/** An object, and what models write beside it. */
const VALUES = 4

/** The objects at the beginning of the text, each mended, and what follows them. */
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

/** The place behind the bracket that closes the first one. */
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

/** A text in JSON with its raw control characters escaped: line breaks, tabs, and the others. */
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
