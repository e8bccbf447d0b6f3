/**
 * Handles requests in another product's format, whose clients send members that have no meaning
 * here. Ignored members are named in the header `Strata-Ignored` and in the response. The schema
 * defines them: unknown members of non-strict objects, members marked as unused, and items of other
 * kinds in a list that omits them.
 */

import * as z from 'zod'
import { LIMITS } from '../../core/limits.ts'
import { getOwn } from '../../lib/own-member.ts'
import { LEAVES_OUT, UNUSED } from '../schemas/shared/ignored-members.ts'

type Schema = z.core.$ZodType
export type Path = readonly (string | number)[]
/** Parts of a zod definition that this module examines; `type` determines which parts exist. */
interface Def {
  readonly type: string
  readonly innerType?: Schema
  readonly in?: Schema
  readonly element?: Schema
  readonly valueType?: Schema
  readonly shape?: Readonly<Record<string, Schema>>
  readonly catchall?: Schema
  readonly options?: readonly Schema[]
  readonly discriminator?: string
}

interface IgnoredPlace {
  readonly path: Path
  /** Kind of an omitted list item. */
  readonly kind?: string
}

/**
 * Returns the request value without unused members, and a limited list of the unused members'
 * names.
 */
export function withoutIgnored(
  schema: Schema,
  value: unknown,
): {
  readonly value: unknown
  readonly ignored: readonly string[]
  /** Paths of omitted list items in the original request. */
  readonly leftOut: readonly Path[]
} {
  const walk = new Walk()
  const remaining = walk.value(schema, value, [])
  const leftOut = walk.places.filter(({ kind }) => kind !== undefined).map(({ path }) => path)
  return { value: remaining, ignored: namesOf(walk.places), leftOut }
}

const defOf = (schema: Schema): Def => schema._zod.def as Def
const isMarked = (schema: Schema, mark: string): boolean =>
  mark in (z.globalRegistry.get(schema as z.ZodType) ?? {})
const [LEAVES_OUT_MARK = ''] = Object.keys(LEAVES_OUT)
/** Returns the inner schema of a wrapper, such as an optional schema. */
const innerOf = ({ innerType, type, in: input }: Def): Schema | undefined =>
  innerType ?? (type === 'pipe' ? input : undefined)

class Walk {
  readonly places: IgnoredPlace[] = []

  value(schema: Schema, value: unknown, path: Path): unknown {
    if (value === null || typeof value !== 'object') return value
    const def = defOf(schema)
    const inner = innerOf(def)
    if (inner) return this.value(inner, value, path)
    if (def.type === 'union') {
      const option = def.options!.find((candidate) => fits(candidate, value))
      return option ? this.value(option, value, path) : value
    }
    if (def.type === 'array' && Array.isArray(value)) return this.#items(def.element!, value, path)
    if (Array.isArray(value)) return value
    if (def.type === 'record' && isMarked(schema, LEAVES_OUT_MARK))
      return this.#pairs(def, value, path)
    return def.type === 'object' ? this.#members(def, value, path) : value
  }

  #pairs({ valueType }: Def, value: object, path: Path): object {
    const pairs = Object.entries(value).filter(([key, member]) => {
      const isKept = (valueType as z.ZodType).safeParse(member).success
      if (!isKept) this.places.push({ path: [...path, key] })
      return isKept
    })
    return Object.fromEntries(pairs)
  }

  #items(element: Schema, list: readonly unknown[], path: Path): unknown[] {
    const kinds = isMarked(element, LEAVES_OUT_MARK) ? kindsOf(defOf(element)) : undefined
    return list.flatMap((item, index) => {
      const at = [...path, index]
      const kind = kinds && memberOf(item, kinds.key)
      if (typeof kind !== 'string' || kinds!.known.has(kind)) return [this.value(element, item, at)]
      this.places.push({ path: at, kind })
      return []
    })
  }

  #members({ shape = {}, catchall }: Def, value: object, path: Path): object {
    const out: Record<string, unknown> = {}
    for (const [key, member] of Object.entries(value)) {
      const schema = getOwn(shape, key)
      const isUnknown = schema === undefined && catchall === undefined
      const isUnused = schema !== undefined && isUnusedBy(schema, member)
      if (isUnknown || (isUnused && !isEmpty(member))) this.places.push({ path: [...path, key] })
      if (isUnknown || isUnused) continue
      const keptValue = schema ? this.value(schema, member, [...path, key]) : member
      // Defines the member instead of assigning it, so that a strict object rejects `__proto__`
      // like any unknown name.
      const flags = { enumerable: true, configurable: true, writable: true }
      Object.defineProperty(out, key, { value: keptValue, ...flags })
    }
    return out
  }
}

/**
 * Reports whether a member marked as unused can be ignored; a member with a meaningful value is
 * kept and rejected by its schema.
 */
const isUnusedBy = (schema: Schema, value: unknown): boolean =>
  isMarked(schema, UNUSED) && (schema as z.ZodType).safeParse(value).success

/** Reports whether a value can be omitted without loss. */
const isEmpty = (value: unknown): boolean =>
  value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0)

/** Returns the item kinds that a union accepts, and the member that discriminates them. */
function kindsOf({ options = [], discriminator: key = 'type' }: Def) {
  const used = options.filter((option) => !isMarked(option, UNUSED))
  const kinds = used.flatMap((option) => valuesOf(defOf(option).shape?.[key]))
  return { key, known: new Set(kinds) }
}

/** Returns the allowed values of a literal or an enum; an empty list for other schemas. */
function valuesOf(schema: Schema | undefined): readonly unknown[] {
  if (!schema) return []
  const def = defOf(schema)
  const inner = innerOf(def)
  if (inner) return valuesOf(inner)
  return def.type === 'enum' || def.type === 'literal' ? [...(schema._zod.values ?? [])] : []
}

/** Reports whether a value may match a schema, judged by kind and identifying members. */
function fits(schema: Schema, value: object): boolean {
  const def = defOf(schema)
  const inner = innerOf(def)
  if (inner) return fits(inner, value)
  if (def.type === 'union') return def.options!.some((option) => fits(option, value))
  if (Array.isArray(value)) return def.type === 'array'
  if (def.type !== 'object') return def.type === 'record' || def.type === 'unknown'
  return Object.entries(def.shape!).every(([key, member]) => {
    const values = valuesOf(member)
    const memberValue = memberOf(value, key)
    const isLeftOut = memberValue === undefined && member._zod.optin === 'optional'
    return values.length === 0 || isLeftOut || values.includes(memberValue)
  })
}

const memberOf = (value: unknown, key: string): unknown =>
  value !== null && typeof value === 'object'
    ? getOwn(value as Readonly<Record<string, unknown>>, key)
    : undefined

/**
 * Formats ignored paths. Paths that differ only in their indexes are listed once, by the first
 * path: `input[1].id (3 times)`.
 */
function namesOf(places: readonly IgnoredPlace[]): string[] {
  const counts = new Map<string, { readonly name: string; count: number }>()
  for (const { path, kind } of places) {
    const key = JSON.stringify([path.map((part) => (typeof part === 'number' ? 0 : part)), kind])
    const entry = counts.get(key) ?? { name: nameOf(path, kind), count: 0 }
    entry.count += 1
    counts.set(key, entry)
  }
  const names = [...counts.values()].map(({ name, count }) =>
    count === 1 ? name : `${name} (${count} times)`,
  )
  const more = names.length - LIMITS.ignored_names
  return more <= 0 ? names : [...names.slice(0, LIMITS.ignored_names), `and ${more} more`]
}

/** Formats an ignored path: `input[2] reasoning` for an item, `messages[0].name` for a member. */
function nameOf(path: Path, kind: string | undefined): string {
  const parts = path.map((part, index) =>
    typeof part === 'number' ? `[${part}]` : `${index === 0 ? '' : '.'}${plain(part)}`,
  )
  return kind === undefined ? parts.join('') : `${parts.join('')} ${plain(kind)}`
}

const NAME_LENGTH = 64
/** Makes a client's member name safe for a header: no line breaks and no list separators. */
const plain = (name: string): string => name.slice(0, NAME_LENGTH).replaceAll(/[^\w$@:/-]/g, '?')

/**
 * Returns the issues of the intended union option. Options are chosen by a matching `type`, then by
 * `role`, then by the deepest first issue. Without a match, the union's own issue is returned.
 */
export function narrowed(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue]
  const closest = issue.errors
    .filter((option) => option.length > 0 && !option.some(isOtherKind))
    .map((option) => option.flatMap((inner) => narrowed(inner as z.core.$ZodIssue)))
    .sort((left, right) => closenessOf(right) - closenessOf(left))[0]
  if (closest === undefined) return [issue]
  return closest.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }))
}

type Issue = z.core.$ZodIssue
const isAbout = ({ path }: Issue, member: string): boolean =>
  path.length === 1 && path[0] === member
/** Reports whether the value's kind or `type` differs from the union option's. */
const isOtherKind = (issue: Issue): boolean =>
  issue.path.length === 0 ? issue.code === 'invalid_type' : isAbout(issue, 'type')
const DEEPEST = 100
const closenessOf = (issues: readonly Issue[]): number =>
  (issues.some((issue) => isAbout(issue, 'role')) ? 0 : DEEPEST) + (issues[0]?.path.length ?? 0)
