/**
 * Adds discriminators to unions. If each schema of `oneOf` is a component with a distinct `type`
 * (or another member), `discriminator` maps values to components. Generated clients turn these
 * unions into types that a `switch` narrows.
 */

import { COMPONENT, isMap, type Json } from './json.ts'

/** Returns the components, with discriminators added to unions of distinct types. */
export function discriminated(components: Json): Json {
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit)
    if (!isMap(value)) return value
    const inner = Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key, visit(member)]),
    )
    const mapping = mappingOf(value.oneOf, components)
    return mapping ? { ...inner, discriminator: { propertyName: 'type', mapping } } : inner
  }
  return visit(components) as Json
}

/** Returns the component name of each `type` value; undefined if the values are not distinct. */
function mappingOf(options: unknown, components: Json): Record<string, string> | undefined {
  if (!Array.isArray(options)) return undefined
  const entries = options.map((option) => {
    const { $ref } = option as { $ref?: string }
    if ($ref === undefined) return undefined
    const { const: type } = typeOf(components[$ref.slice(COMPONENT.length)] as Shape) ?? {}
    return typeof type === 'string' ? ([type, $ref] as const) : undefined
  })
  if (entries.includes(undefined)) return undefined
  const mapping = Object.fromEntries(entries as [string, string][])
  return Object.keys(mapping).length === options.length ? mapping : undefined
}

interface Shape {
  readonly properties?: { readonly type?: { readonly const?: unknown } }
  readonly allOf?: readonly Shape[]
}

/** Returns the `type` member of a component, which may be in one of its `allOf` parts. */
const typeOf = ({ properties, allOf = [] }: Shape) =>
  [properties, ...allOf.map((part) => part.properties)].find((candidate) => candidate?.type)?.type
