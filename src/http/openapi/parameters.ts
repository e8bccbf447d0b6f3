/**
 * Parameters of operations. One of a header or of the query that several operations take alike is a
 * component, called by its name. Another parameter of that name stays with its operation.
 */

import { takesQueryToken } from '../request/query-token.ts'
import type { Route } from '../request/route.ts'
import { jsonSchema } from './schemas.ts'

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description?: string
  readonly schema: object
}
type Components = Readonly<Record<string, Parameter>>

/** Every parameter of a route, in full. */
export const parametersOf = (route: Route): Parameter[] => [
  ...pathParameters(route),
  ...schemaParameters(route),
  ...(route.method === 'get' && takesQueryToken(route.path) ? [TOKEN] : []),
]

/** No security scheme: generated clients would send their key by every scheme there is. */
const TOKEN: Parameter = {
  name: 'token',
  in: 'query',
  required: false,
  description:
    'A token of `POST /v1/tokens`, for clients that send no headers: only for server-sent events ' +
    'and downloads, and never an API key',
  schema: { type: 'string' },
}

function pathParameters(route: Route): Parameter[] {
  return [...route.path.matchAll(/\{(\w+)\+?\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    ...(route.params?.[name] ? { description: route.params[name] } : {}),
    schema: { type: 'string' },
  }))
}

function schemaParameters(route: Route): Parameter[] {
  const parts = [
    ['query', route.query],
    ['header', route.headers],
  ] as const
  return parts.flatMap(([where, schema]) => {
    if (!schema) return []
    const { properties = {}, required = [] } = jsonSchema(schema, 'input')
    return Object.entries(properties).map(([name, shape]) => {
      const { description, ...rest } = shape as Record<string, unknown>
      const about = typeof description === 'string' ? { description } : {}
      return { name, in: where, required: required.includes(name), ...about, schema: rest }
    })
  })
}

/** The parameters that are components: of each name, the one that most operations take. */
export function sharedParameters(routes: readonly Route[]): Components {
  const counts = new Map<string, number>()
  for (const parameter of routes.flatMap(parametersOf)) {
    const text = JSON.stringify(parameter)
    if (parameter.in !== 'path') counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  const shared: Record<string, Parameter> = {}
  for (const [text] of [...counts].filter(([, count]) => count > 1).sort(([, a], [, b]) => b - a)) {
    const parameter = JSON.parse(text) as Parameter
    shared[parameter.name] ??= parameter
  }
  return shared
}

/** A reference to the parameter where it is a component, else the parameter itself. */
export function parameterIn(components: Components, parameter: Parameter): object {
  const shared = components[parameter.name]
  const isShared = JSON.stringify(shared) === JSON.stringify(parameter)
  return isShared ? { $ref: `#/components/parameters/${parameter.name}` } : parameter
}
