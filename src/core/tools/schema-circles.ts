/** Detects JSON Schema references that are dangling or circular. */

import type { Document } from './schema-values.ts'
import { entries, escaped, isMap, list, resolved } from './schema-values.ts'

export const REFS = new Set(['$ref', '$dynamicRef', '$recursiveRef'])
/** Keywords whose subschemas apply to the same value as the enclosing schema. */
const IN_PLACE = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas']

interface Circle {
  /** JSON pointer to the reference in the schema. */
  readonly pointer: string
  readonly message: string
  readonly node: Record<string, unknown>
  readonly keyword: string
}

/**
 * Detects circular schema references that never descend into the value, so that validation would
 * not terminate.
 */
export class Circles {
  readonly #document: Document
  readonly #done = new Set<unknown>()
  readonly #active = new Set<unknown>()
  readonly #circles: Circle[] = []

  constructor(document: Document) {
    this.#document = document
  }

  find(root: unknown): readonly Circle[] {
    this.#everywhere(root, '')
    return this.#circles
  }

  #everywhere(node: unknown, pointer: string): void {
    if (typeof node !== 'object' || node === null) return
    if (isMap(node)) this.#visit(node, pointer)
    for (const [key, child] of Object.entries(node))
      this.#everywhere(child, `${pointer}/${escaped(key)}`)
  }

  #visit(node: unknown, pointer: string): void {
    if (!isMap(node) || this.#done.has(node)) return
    this.#active.add(node)
    for (const keyword of REFS) {
      const ref = node[keyword]
      if (typeof ref !== 'string') continue
      const target = resolved(this.#document, ref)
      const place = `${pointer}/${keyword}`
      const message =
        target === undefined
          ? 'it must point into this schema, like `#/$defs/name`'
          : this.#active.has(target)
            ? 'it refers to itself'
            : undefined
      if (message === undefined) this.#visit(target, ref.slice(1))
      else
        this.#circles.push({
          pointer: place,
          message,
          node: node as Record<string, unknown>,
          keyword,
        })
    }
    for (const keyword of IN_PLACE) {
      const value = node[keyword]
      const below =
        keyword === 'dependentSchemas'
          ? entries(value)
          : list(value).map((item, i) => [i, item] as const)
      for (const [key, child] of below)
        this.#visit(child, `${pointer}/${keyword}/${escaped(String(key))}`)
      if (isMap(value) && keyword !== 'dependentSchemas')
        this.#visit(value, `${pointer}/${keyword}`)
    }
    this.#active.delete(node)
    this.#done.add(node)
  }
}
