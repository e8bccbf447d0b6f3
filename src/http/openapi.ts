/** openapi.json from the declared routes: OpenAPI 3.1, whose schemas are JSON Schema 2020-12. */

import * as z from 'zod'
import { conditionalPaths, headerComponents, headersOf } from './openapi-headers.ts'
import { reached, takingNulls } from './openapi-nulls.ts'
import type { Route } from './route.ts'
import { Problem } from './schemas/common.ts'

export type Document = Readonly<Record<string, unknown>>

const INFO = {
  title: 'Strata',
  version: '1',
  summary: 'Runs agents from files in object storage, durably.',
  description:
    'Layers of files say what an agent is and may do; a run is a durable loop of model and tool ' +
    'calls; subagents are queued runs of their own; results are announced to the parent run and ' +
    'to signed webhooks (Standard Webhooks 1.0). Every 4xx and 5xx is `application/problem+json`. ' +
    'In the body of a request, null for a member that may be left out means that it is not ' +
    'given; where a PATCH removes something by null, its description says so.',
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
}

const TAGS: Readonly<Record<string, string>> = {
  Runs: 'Durable executions of agents: created, followed, cancelled.',
  'Fan-outs': 'Many tasks in one request, each a run of its own, and what came of them.',
  Layers: 'What agents, skills and MCP servers a run would have, and where each came from.',
  Management: 'Skills, agents and MCP servers of one layer, as files: read, written, rolled back.',
  Approvals: 'Tool calls that wait for a person, and what was decided.',
  Policy: 'What the tenant allows whatever its layers say, and who changed what.',
  Files: 'The files that layers are made of, as they are.',
  Webhooks: 'Where signed announcements go, and what became of them.',
  Hooks: 'Webhooks of others that start runs.',
  Sessions: 'Runs in a series that share a transcript, one at a time.',
  System: 'What this deployment is and allows.',
}

export function openapi(routes: readonly Route[]): Document {
  const paths: Record<string, Record<string, unknown>> = {}
  const conditional = conditionalPaths(routes)
  for (const route of routes) {
    const path = route.path.replace('+}', '}')
    paths[path] = { ...paths[path], [route.method]: operation(route, conditional) }
  }
  return {
    openapi: '3.1.0',
    info: INFO,
    servers: [{ url: 'http://127.0.0.1:8787', description: 'The Node host as it starts' }],
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({
      name,
      description: TAGS[name] ?? name,
    })),
    paths,
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer', description: 'An API key' } },
      headers: headerComponents(),
      schemas: withNulls(components(), routes),
    },
  }
}

const COMPONENT = '#/components/schemas/'

/** Every schema with an id, once. */
function components(): Record<string, unknown> {
  const { schemas } = z.toJSONSchema(z.globalRegistry, {
    uri: (id) => `${COMPONENT}${id}`,
    io: 'input',
    unrepresentable: 'any',
  })
  return Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, stripped(schema)]))
}

/** What a body holds may be null where it may be left out. */
function withNulls(schemas: Record<string, unknown>, routes: readonly Route[]) {
  const bodies = routes.flatMap(({ body }) => (body ? [schemaOf(body, 'input')] : []))
  const asked = reached(bodies, schemas)
  return Object.fromEntries(
    Object.entries(schemas).map(([name, one]) => [name, asked.has(name) ? takingNulls(one) : one]),
  )
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): unknown {
  const id = z.globalRegistry.get(schema)?.id
  if (id !== undefined) return { $ref: `${COMPONENT}${id}` }
  const options = { io, unrepresentable: 'any', reused: 'inline' } as const
  return referenced(stripped(z.toJSONSchema(schema, options)))
}

/** Inside one schema, others with an id stand as definitions: they are components here. */
function referenced(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(referenced)
  if (schema === null || typeof schema !== 'object') return schema
  const entries = Object.entries(schema)
    .filter(([key]) => key !== '$defs')
    .map(([key, value]) =>
      key === '$ref' && typeof value === 'string'
        ? [key, value.replace('#/$defs/', COMPONENT)]
        : [key, referenced(value)],
    )
  return Object.fromEntries(entries)
}

function stripped(schema: object): Record<string, unknown> {
  const { $schema: _, $id: __, id: ___, ...rest } = schema as Record<string, unknown>
  return rest
}

const PROBLEM_TYPE = 'application/problem+json'

function operation(route: Route, conditional: ReadonlySet<string>): unknown {
  const responses: Record<string, unknown> = {}
  for (const [status, answer] of Object.entries(route.answers)) {
    const { description, schema, type = 'application/json' } = answer
    const content = schema ? { [type]: { schema: schemaOf(schema, 'output') } } : undefined
    responses[status] = {
      description,
      headers: headersOf(route, status, conditional),
      ...((content ?? answer.type) ? { content: content ?? { [type]: {} } } : {}),
    }
  }
  const refused = (status: string, description: string) => ({
    ...problem(description),
    headers: headersOf(route, status, conditional),
  })
  responses['4XX'] = refused('4XX', 'Refused: the caller can mend it')
  responses['5XX'] = refused('5XX', 'Failed: nothing to mend in the request')
  return {
    tags: [route.tag],
    operationId: operationId(route),
    summary: route.summary,
    ...(route.description ? { description: route.description } : {}),
    security: route.scope === null ? [] : [{ key: [] }],
    parameters: [...pathParameters(route), ...schemaParameters(route)],
    ...requestBody(route),
    responses,
  }
}

const problem = (description: string) => ({
  description,
  content: { [PROBLEM_TYPE]: { schema: schemaOf(Problem, 'output') } },
})

function requestBody(route: Route): object {
  const content = route.body
    ? { 'application/json': { schema: takingNulls(schemaOf(route.body, 'input')) } }
    : route.rawBody
      ? { [route.rawBody]: {} }
      : undefined
  return content ? { requestBody: { required: route.bodyOptional !== true, content } } : {}
}

function pathParameters(route: Route): object[] {
  return [...route.path.matchAll(/\{(\w+)\+?\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    ...(route.params?.[name!] ? { description: route.params[name!] } : {}),
    schema: { type: 'string' },
  }))
}

function schemaParameters(route: Route): object[] {
  const parts = [
    ['query', route.query],
    ['header', route.headers],
  ] as const
  return parts.flatMap(([where, schema]) => {
    if (!schema) return []
    const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input' })
    return Object.entries(properties).map(([name, shape]) => {
      const { description, ...rest } = shape as Record<string, unknown>
      const about = description ? { description } : {}
      return { name, in: where, required: required.includes(name), ...about, schema: rest }
    })
  })
}

function operationId({ method, path }: Route): string {
  const words = path
    .replace(/^\/v1/, '')
    .split('/')
    .filter((word) => word !== '')
    .map((word) => word.replace(/[{}+]/g, '').replace(/\W/g, '_'))
  return [method, ...words].join('_')
}
