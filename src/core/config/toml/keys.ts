/**
 * Handles keys that every object inherits (`constructor`, `toString`, …). The TOML parser looks
 * keys up on plain objects, so it would take the inherited function for an existing table. Parsed
 * values would then modify that function for the whole process. These keys are therefore renamed
 * before parsing and restored in the result.
 */

import { type AST, parseTOML } from 'toml-eslint-parser'

/** Private-use character that prefixes a renamed key; other keys must not contain it. */
const MARK = '\uE000'

/** Matches every inherited property name, and escapes that could conceal one. */
const SUSPICIOUS =
  /\\[uU]|constructor|toString|toLocaleString|valueOf|hasOwnProperty|isPrototypeOf|propertyIsEnumerable|__/

/**
 * Returns the TOML text with inherited property names renamed. If the text is invalid TOML, throws
 * the parser's error, which has a line.
 */
export function withSafeKeys(text: string): string {
  if (!SUSPICIOUS.test(text)) return text
  const keys: BareKey[] = []
  for (const node of parseTOML(text, { tomlVersion: '1.0' }).body[0].body) collect(node, keys)
  let out = text
  for (const { range, name } of keys.sort((left, right) => right.range[0] - left.range[0])) {
    out = `${out.slice(0, range[0])}"${MARK}${name}"${out.slice(range[1])}`
  }
  return out
}

type BareKey = Pick<AST.TOMLBare, 'range' | 'name'>
type Node = AST.TOMLTable | AST.TOMLKeyValue | AST.TOMLContentNode

function collect(node: Node, collected: BareKey[]): void {
  switch (node.type) {
    case 'TOMLTable':
    case 'TOMLInlineTable':
      if (node.type === 'TOMLTable') inherited(node.key, collected)
      for (const pair of node.body) collect(pair, collected)
      return
    case 'TOMLKeyValue':
      inherited(node.key, collected)
      collect(node.value, collected)
      return
    case 'TOMLArray':
      for (const element of node.elements) collect(element, collected)
  }
}

function inherited(
  { keys }: { readonly keys: readonly AST.TOMLKey['keys'][number][] },
  collected: BareKey[],
) {
  for (const key of keys) {
    const name = key.type === 'TOMLBare' ? key.name : key.value
    if (name in Object.prototype) collected.push({ range: key.range, name })
  }
}

/**
 * Returns the parsed value with the original keys restored, each as an own property of a plain
 * object.
 */
export function withTrueKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withTrueKeys)
  if (value === null || typeof value !== 'object' || !isTable(value)) return value
  const out = {}
  for (const [key, member] of Object.entries(value)) {
    const name = key.startsWith(MARK) ? key.slice(MARK.length) : key
    const of = { value: withTrueKeys(member), enumerable: true, configurable: true, writable: true }
    Object.defineProperty(out, name, of)
  }
  return out
}

const isTable = (value: object): boolean =>
  Object.prototype.toString.call(value) === '[object Object]'
