/**
 * Generates the parameters of operations. A header or query parameter shared by several operations
 * is a component with the same name. A different parameter with that name is declared in its
 * operation.
 */

import { takesQueryToken } from '../request/query-token.ts'
import type { Route } from '../request/route.ts'
import { jsonSchema } from './schemas.ts'

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description?: string
  readonly example?: string
  readonly schema: object
}
type Components = Readonly<Record<string, Parameter>>

/** Returns all parameters of a route, without references to components. */
export const parametersOf = (route: Route): Parameter[] => [
  ...pathParameters(route),
  ...schemaParameters(route),
  ...(route.method === 'get' && takesQueryToken(route.path) ? [TOKEN] : []),
]

/**
 * Query token, documented as a parameter and not as a security scheme, because generated clients
 * would send their key by every scheme.
 */
const TOKEN: Parameter = {
  name: 'token',
  in: 'query',
  required: false,
  description:
    'Token from `POST /v1/tokens`, for clients that cannot send headers. Accepted only ' +
    'for server-sent events and downloads; an API key is never accepted',
  schema: { type: 'string' },
}

function pathParameters(route: Route): Parameter[] {
  return [...route.path.matchAll(/\{(\w+)\+?\}/g)].map(([, name = '']) => {
    const description = [route.params?.[name], sourceOf(route, name)].filter(Boolean).join('. ')
    const example = exampleOf(route, name)
    return {
      name,
      in: 'path',
      required: true,
      ...(description ? { description } : {}),
      ...(example === undefined ? {} : { example }),
      schema: { type: 'string' },
    }
  })
}

const kindOf = ({ path }: Route): string => /^\/v1\/([\w-]+)/.exec(path)?.[1] ?? ''

/** Collections whose list operation returns the valid values of a path parameter. */
const LISTS: ReadonlySet<string> = new Set([
  ...['agents', 'approvals', 'browser-sessions', 'fanouts', 'files', 'hooks', 'keys', 'memory'],
  ...['mcp-servers', 'models', 'runs', 'schedules', 'secrets', 'sessions', 'skills'],
  ...['webhook-deliveries', 'webhook-endpoints'],
])

/** Returns the operation that lists valid values for the first parameter of a path. */
function sourceOf(route: Route, name: string): string {
  const kind = kindOf(route)
  const isFirst = route.path.indexOf('{') === route.path.indexOf(`{${name}`)
  if (!isFirst || exampleOf(route, name) !== undefined || !LISTS.has(kind)) return ''
  return `\`GET /v1/${kind}\` lists valid values`
}

/**
 * Returns an example name only if the request creates the name or every deployment has it; other
 * names may not exist.
 */
function exampleOf({ method, path }: Route, name: string): string | undefined {
  if (name === 'agent') return 'general'
  return method === 'put' || path === '/v1/memory/{path+}' ? CREATED[path] : undefined
}

const CREATED: Readonly<Record<string, string>> = {
  '/v1/skills/{name}': 'refund-policy',
  '/v1/agents/{name}': 'support-triage',
  '/v1/mcp-servers/{name}': 'helpdesk',
  '/v1/schedules/{name}': 'digest',
  '/v1/secrets/{name}': 'SHOP_TOKEN',
  '/v1/files/{path+}': 'base/AGENTS.md',
  '/v1/memory/{path+}': 'shared/MEMORY.md',
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
      const { description, ...members } = shape as Record<string, unknown>
      const about = typeof description === 'string' ? { description } : {}
      return { name, in: where, required: required.includes(name), ...about, schema: members }
    })
  })
}

/**
 * Returns the parameters shared as components: for each name, the variant used by most operations.
 */
export function sharedParameters(routes: readonly Route[]): Components {
  const counts = new Map<string, number>()
  for (const parameter of routes.flatMap(parametersOf)) {
    const text = JSON.stringify(parameter)
    if (parameter.in !== 'path') counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  const shared: Record<string, Parameter> = {}
  for (const [text] of [...counts].filter(([, count]) => count > 1).sort(([, a], [, b]) => b - a)) {
    const parameter = JSON.parse(text) as Parameter
    shared[componentName(parameter)] ??= parameter
  }
  return shared
}

/** Returns the name of the component; `created[gte]` becomes `created_gte`. */
const componentName = ({ name }: Parameter): string =>
  name.replaceAll(/[^\w.-]+/g, '_').replace(/_$/, '')

/** Returns a reference if the parameter is a component, otherwise the parameter itself. */
export function parameterIn(components: Components, parameter: Parameter): object {
  const shared = components[componentName(parameter)]
  const isShared = JSON.stringify(shared) === JSON.stringify(parameter)
  return isShared ? { $ref: `#/components/parameters/${componentName(parameter)}` } : parameter
}
