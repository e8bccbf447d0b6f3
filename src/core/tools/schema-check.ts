/**
 * JSON Schema 2020-12 validation (including spellings of older drafts) within a step budget.
 * Schemas come from servers and callers, so no keyword may cost more than its input. Schemas are
 * not compiled, patterns are automata, equality uses canonical text, and each `$ref` is evaluated
 * once per value. The first violation is returned.
 */

import { Exhausted } from '../../lib/budget.ts'
import { canonical } from '../../lib/digest.ts'
import { numberFault, textFault } from './schema-scalars.ts'
import type { CheckResult, Means, Schema } from './schema-values.ts'
import {
  above,
  below,
  entries,
  escaped,
  isMap,
  isOf,
  list,
  NONE,
  quoteValue,
  resolved,
  wrong,
} from './schema-values.ts'

const RIGHT: CheckResult = { seen: NONE }
/** Cost of one schema check, expressed in characters scanned by a pattern. */
const CHECK_COST = 40
/** Maximum schema nesting per value. Data nesting has a separate limit. */
const DEPTH = 600

export class Check {
  readonly #means: Means
  readonly #verdicts = new Map<unknown, Map<string, CheckResult>>()
  readonly #texts = new WeakMap<object, string>()
  #depth = 0

  constructor(means: Means) {
    this.#means = means
  }

  /** Returns the first schema violation, as `#/place: sentence`. */
  error(value: unknown): string | undefined {
    return this.#check(this.#means.root, value, '#').error
  }

  #check(schema: unknown, value: unknown, at: string): CheckResult {
    this.#means.budget.spend(CHECK_COST)
    if (schema === true || schema === undefined) return RIGHT
    if (schema === false) return wrong(at, 'nothing is allowed here')
    if (!isMap(schema)) return RIGHT
    this.#depth += 1
    if (this.#depth > DEPTH) throw new Exhausted('the schema is nested too deeply')
    try {
      return this.#node(schema, value, at)
    } finally {
      this.#depth -= 1
    }
  }

  #node(schema: Schema, value: unknown, at: string): CheckResult {
    const error = this.#ownFault(schema, value, at)
    if (error !== undefined) return wrong(at, error)
    const seen = new Set<string | number>()
    for (const check of [this.#references, this.#branches, this.#members, this.#items]) {
      const result = check.call(this, schema, value, at, seen)
      if (result !== undefined) return result
    }
    return { seen: seen }
  }

  /** Checks schema keywords that concern the value itself, not its members. */
  #ownFault(schema: Schema, value: unknown, at: string): string | undefined {
    const { type, enum: values } = schema
    if (type !== undefined) {
      const types = Array.isArray(type) ? type : [type]
      if (!types.some((option) => isOf(option, value)))
        return `it must be of type ${types.map(quoteValue).join(' or ')}`
    }
    if ('const' in schema && !this.#same(value, schema.const)) {
      return `it must be ${quoteValue(schema.const)}`
    }
    if (Array.isArray(values)) {
      this.#means.budget.spend(4 * values.length)
      if (!values.some((option) => this.#same(value, option)))
        return `it must be one of ${quoteValue(values)}`
    }
    if (typeof value === 'string') return textFault(schema, value, this.#means)
    if (typeof value === 'number') return numberFault(schema, value)
    return isMap(value) ? this.#names(schema, value, at) : undefined
  }

  /** Returns whether the text matches a pattern, or undefined if the pattern is unsupported. */
  #matches(pattern: string, text: string): boolean | undefined {
    return this.#means.patterns.get(pattern)?.matches(text, this.#means.budget)
  }

  #names(schema: Schema, value: Schema, at: string): string | undefined {
    const { required, minProperties, maxProperties, propertyNames, dependentRequired } = schema
    const absent = (names: unknown): string | undefined => {
      if (!Array.isArray(names)) return undefined
      this.#means.budget.spend(4 * names.length)
      const name = names.find((entry) => typeof entry === 'string' && !Object.hasOwn(value, entry))
      return name === undefined ? undefined : `it must have the property ${quoteValue(name)}`
    }
    const first = absent(required)
    if (first !== undefined) return first
    if (minProperties !== undefined || maxProperties !== undefined) {
      const { length } = this.#namesOf(value)
      if (below(length, minProperties)) return `it must have ${minProperties} properties or more`
      if (above(length, maxProperties)) return `it must have at most ${maxProperties} properties`
    }
    for (const [name, dependents] of entries(dependentRequired ?? schema.dependencies)) {
      const missing = Object.hasOwn(value, name) ? absent(dependents) : undefined
      if (missing !== undefined) return `${missing}, because it has ${quoteValue(name)}`
    }
    if (propertyNames === undefined) return undefined
    for (const name of this.#namesOf(value)) {
      const { error } = this.#check(propertyNames, name, `${at}\0${name}`)
      if (error !== undefined) return `the name ${quoteValue(name)} is not allowed here`
    }
    return undefined
  }

  #namesOf(value: Schema): readonly string[] {
    const names = Object.keys(value)
    this.#means.budget.spend(8 * names.length)
    return names
  }

  #references(schema: Schema, value: unknown, at: string, seen: Set<string | number>) {
    for (const ref of [schema.$ref, schema.$dynamicRef, schema.$recursiveRef]) {
      if (typeof ref !== 'string') continue
      const target = resolved(this.#means, ref)
      const result = target === undefined ? RIGHT : this.#once(target, value, at)
      if (result.error !== undefined) return result
      for (const key of result.seen) seen.add(key)
    }
    return undefined
  }

  /** Returns the cached result of checking a value against a shared schema at a location. */
  #once(schema: unknown, value: unknown, at: string): CheckResult {
    const places = this.#verdicts.get(schema) ?? new Map<string, CheckResult>()
    this.#verdicts.set(schema, places)
    const cached = places.get(at)
    if (cached !== undefined) return cached
    const result = this.#check(schema, value, at)
    places.set(at, result)
    return result
  }

  #branches(schema: Schema, value: unknown, at: string, seen: Set<string | number>) {
    const { allOf, anyOf, oneOf, not } = schema
    const take = (result: CheckResult): CheckResult | undefined => {
      if (result.error !== undefined) return result
      for (const key of result.seen) seen.add(key)
      return undefined
    }
    for (const branch of list(allOf)) {
      const result = take(this.#check(branch, value, at))
      if (result) return result
    }
    for (const [some, exactly] of [
      [anyOf, false],
      [oneOf, true],
    ] as const) {
      if (!Array.isArray(some)) continue
      const checked = some.map((branch) => this.#check(branch, value, at))
      const fits = checked.filter(({ error }) => error === undefined)
      if (fits.length === 0) {
        const reason = checked[0]?.error
        return wrong(
          at,
          `it conforms to none of ${some.length} schemas${reason ? ` (the first: ${reason.slice(0, 200)})` : ''}`,
        )
      }
      if (exactly && fits.length > 1)
        return wrong(at, `it conforms to ${fits.length} schemas, not one`)
      fits.forEach(take)
    }
    if (not !== undefined && this.#check(not, value, at).error === undefined) {
      return wrong(at, 'it must not conform to the schema under `not`')
    }
    const outcome = this.#conditional(schema, value, at, take)
    if (outcome) return outcome
    for (const [name, branch] of entries(schema.dependentSchemas ?? schema.dependencies)) {
      if (!isMap(value) || !Object.hasOwn(value, name) || Array.isArray(branch)) continue
      const dependent = take(this.#check(branch, value, at))
      if (dependent) return dependent
    }
    return undefined
  }

  #conditional(
    schema: Schema,
    value: unknown,
    at: string,
    take: (result: CheckResult) => CheckResult | undefined,
  ) {
    if (schema.if === undefined) return undefined
    const condition = this.#check(schema.if, value, at)
    const holds = condition.error === undefined
    if (holds) take(condition)
    return take(this.#check(holds ? schema.then : schema.else, value, at))
  }

  #members(schema: Schema, value: unknown, at: string, seen: Set<string | number>) {
    if (!isMap(value)) return undefined
    const { properties, patternProperties, additionalProperties, unevaluatedProperties } = schema
    const names = new Set<string>()
    const check = (subschema: unknown, name: string): CheckResult | undefined => {
      names.add(name)
      const result = this.#check(subschema, value[name], `${at}/${escaped(name)}`)
      return result.error === undefined ? undefined : result
    }
    for (const [name, subschema] of entries(properties)) {
      this.#means.budget.spend(4)
      const result = Object.hasOwn(value, name) ? check(subschema, name) : undefined
      if (result) return result
    }
    const patterns = entries(patternProperties)
    for (const name of patterns.length > 0 ? this.#namesOf(value) : []) {
      for (const [pattern, subschema] of patterns) {
        this.#means.budget.spend(8)
        const fits = this.#matches(pattern, name)
        // A name that an unsupported pattern might match counts neither as valid nor as additional.
        if (fits === undefined) names.add(name)
        const matched = fits === true ? check(subschema, name) : undefined
        if (matched) return matched
      }
    }
    for (const fallback of [additionalProperties, unevaluatedProperties]) {
      if (fallback === undefined) continue
      for (const name of this.#namesOf(value)) {
        if (names.has(name) || (fallback === unevaluatedProperties && seen.has(name))) continue
        const result = check(fallback, name)
        if (result) return result
      }
    }
    for (const name of names) seen.add(name)
    return undefined
  }

  #items(schema: Schema, value: unknown, at: string, seen: Set<string | number>) {
    if (!Array.isArray(value)) return undefined
    const { minItems, maxItems, uniqueItems, items, prefixItems, additionalItems } = schema
    if (below(value.length, minItems)) return wrong(at, `it must have at least ${minItems} items`)
    if (above(value.length, maxItems)) return wrong(at, `it must have at most ${maxItems} items`)
    if (uniqueItems === true && new Set(value.map((item) => this.#key(item))).size < value.length) {
      return wrong(at, 'its items must be unique')
    }
    const first = list(Array.isArray(items) ? items : prefixItems)
    const restItems = Array.isArray(items) ? additionalItems : items
    for (const [index, item] of value.entries()) {
      const schemaOf = index < first.length ? first[index] : restItems
      if (schemaOf === undefined) continue
      seen.add(index)
      const result = this.#check(schemaOf, item, `${at}/${index}`)
      if (result.error !== undefined) return result
    }
    return this.#contained(schema, value, at, seen)
  }

  #contained(schema: Schema, value: readonly unknown[], at: string, seen: Set<string | number>) {
    const { contains, minContains, maxContains, unevaluatedItems } = schema
    if (contains !== undefined) {
      const fits = value.flatMap((item, index) =>
        this.#check(contains, item, `${at}/${index}`).error === undefined ? [index] : [],
      )
      if (below(fits.length, minContains ?? 1)) return wrong(at, 'it lacks a required item')
      if (above(fits.length, maxContains)) return wrong(at, 'it has too many matching items')
      for (const index of fits) seen.add(index)
    }
    if (unevaluatedItems === undefined) return undefined
    for (const [index, item] of value.entries()) {
      if (seen.has(index)) continue
      seen.add(index)
      const result = this.#check(unevaluatedItems, item, `${at}/${index}`)
      if (result.error !== undefined) return result
    }
    return undefined
  }

  #same(left: unknown, right: unknown): boolean {
    if (left === right) return true
    if (typeof left !== 'object' || typeof right !== 'object') return false
    return left !== null && right !== null && this.#key(left) === this.#key(right)
  }

  /** Returns the canonical text of a value. Equal values have identical texts. */
  #key(value: unknown): string {
    if (typeof value !== 'object' || value === null) return canonical(value)
    const cached = this.#texts.get(value)
    const text = cached ?? canonical(value)
    this.#means.budget.spend(1 + (cached === undefined ? text.length : 0))
    this.#texts.set(value, text)
    return text
  }
}
