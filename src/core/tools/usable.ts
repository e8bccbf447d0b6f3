/**
 * Whether a JSON Schema that a caller gives can be checked against at all: what is wrong in it is
 * the caller's mistake, and is told when it is given, not when the answer is there.
 */

export interface Unusable {
  /** JSON pointer into the schema. */
  readonly pointer: string
  readonly message: string
}

type Plain = Readonly<Record<string, unknown>>

const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'])
/** Keywords that hold a schema, a list of schemas, schemas by name. */
const ONE = ['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains']
const MORE = ['propertyNames', 'unevaluatedItems', 'unevaluatedProperties', 'additionalItems']
const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems']
const NAMED = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']

/** The first thing that is wrong; undefined when nothing is. */
export const unusable = (schema: Plain): Unusable | undefined => inside(schema, '', schema)

function inside(node: unknown, pointer: string, root: Plain): Unusable | undefined {
  const at = (keyword: string, message: string): Unusable => {
    return { pointer: keyword === '' ? pointer : `${pointer}/${keyword}`, message }
  }
  if (typeof node === 'boolean') return undefined
  if (!isObject(node)) return at('', 'a schema is an object or a boolean')
  const { type, $ref, pattern, required } = node
  if (type !== undefined && !list(type).every((one) => TYPES.has(String(one)))) {
    return at('type', `a type is one of ${[...TYPES].join(', ')}`)
  }
  if ($ref !== undefined && !refers(root, $ref)) {
    return at('$ref', 'it must name a place in this schema, as `#/$defs/name`')
  }
  if (pattern !== undefined && !isPattern(pattern)) return at('pattern', 'no regular expression')
  if (required !== undefined && !isTexts(required)) return at('required', 'a list of names')
  if (node.enum !== undefined && !Array.isArray(node.enum)) return at('enum', 'a list of values')
  return below(node, pointer, root)
}

function below(node: Plain, pointer: string, root: Plain): Unusable | undefined {
  for (const keyword of [...ONE, ...MORE]) {
    if (node[keyword] === undefined) continue
    // Older schemas list the items that come first.
    const found = list(node[keyword]).map((one) => inside(one, `${pointer}/${keyword}`, root))
    const wrong = found.find((one) => one !== undefined)
    if (wrong) return wrong
  }
  for (const keyword of [...LISTS, ...NAMED]) {
    const group = node[keyword]
    if (group === undefined) continue
    const fits = LISTS.includes(keyword) ? Array.isArray(group) : isObject(group)
    const place = `${pointer}/${keyword}`
    if (!fits) return { pointer: place, message: 'schemas are expected here' }
    for (const [name, one] of Object.entries(group as object)) {
      const key = name.replaceAll('~', '~0').replaceAll('/', '~1')
      if (keyword === 'patternProperties' && !isPattern(name)) {
        return { pointer: `${place}/${key}`, message: 'no regular expression' }
      }
      const wrong = inside(one, `${place}/${key}`, root)
      if (wrong) return wrong
    }
  }
  return undefined
}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value])

const isObject = (value: unknown): value is Plain =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

const isTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')

function isPattern(value: unknown): boolean {
  if (typeof value !== 'string') return false
  try {
    new RegExp(value, 'u')
    return true
  } catch {
    return false
  }
}

/** Whether it names a place in the schema itself; nothing is ever fetched. */
function refers(root: Plain, ref: unknown): boolean {
  if (typeof ref !== 'string' || !/^#(\/|$)/.test(ref)) return false
  let node: unknown = root
  for (const part of ref.split('/').slice(1)) {
    const key = unescaped(part)
    if (key === undefined || !isContainer(node) || !Object.hasOwn(node, key)) return false
    node = node[key]
  }
  return typeof node === 'boolean' || isObject(node)
}

const isContainer = (value: unknown): value is Plain => value !== null && typeof value === 'object'

function unescaped(part: string): string | undefined {
  try {
    return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    return undefined
  }
}
