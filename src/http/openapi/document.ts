/**
 * Generates openapi.json from the declared routes: OpenAPI 3.1, with schemas in JSON Schema
 * 2020-12.
 */

import type * as z from 'zod'
import '../schemas/fill.ts'
import type { Answer, Route } from '../request/route.ts'
import { CloudEvent } from '../schemas/events/cloud-event.ts'
import { WebhookBody } from '../schemas/events/webhook-body.ts'
import { Problem } from '../schemas/shared/common.ts'
import { bodyExamples } from './body-examples.ts'
import { conditionalPaths, headerComponents, headersOf } from './headers.ts'
import { type Parameter, parameterIn, parametersOf, sharedParameters } from './parameters.ts'
import { problemResponses, refusalsOf } from './problems.ts'
import { type Schemas, schemasOf } from './schemas.ts'
import { WEBHOOK_PARAMETERS, webhooks } from './webhooks.ts'

const JSON_TYPE = 'application/json'

export type Document = Readonly<Record<string, unknown>>

const INFO = {
  title: 'Strata',
  version: '1',
  summary: 'Runs agents durably from files in object storage.',
  description:
    'File layers define what an agent is and what it can do. A run is a durable loop of ' +
    'model and tool calls. Subagents are separate queued runs, and their results are ' +
    'reported to the parent run and to signed webhooks (Standard Webhooks 1.0). Every 4xx ' +
    'and 5xx response is `application/problem+json`. In a request body, null for an ' +
    'optional member is equivalent to omitting the member. If null removes a value in a ' +
    "PATCH request, the member's description says so. Slashes in a file path can be " +
    'percent-encoded.',
  contact: { name: 'The operator of this deployment' },
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
}

const TAGS: Readonly<Record<string, string>> = {
  Runs: 'Durable agent execution: create, follow, and cancel runs.',
  'Fan-outs':
    'Batches of tasks in one request: each task is a separate run, and the results are ' +
    'collected.',
  Layers: 'Agents, skills, and MCP servers that a run would have, with their origins.',
  Management: 'Skills, agents, and MCP servers in one layer, as files: read, write, and roll back.',
  Approvals: 'Tool calls that are waiting for a person, and decisions on them.',
  Policy: 'Limits that the tenant sets for all layers, and the audit log.',
  Browsers:
    'Signed-in browsers and sign-in links. Under `/v1`, the cookie `__Host-strata` (on ' +
    'loopback without TLS `strata-<port>`) replaces an API key. Requests with the cookie ' +
    'need `Sec-Fetch-Site: same-origin`; changes also need `Strata-Console: 1` and the ' +
    "deployment's `Origin`.",
  Tenants: 'Customers that share the deployment, managed by its operator.',
  Keys: "The tenant's API keys, with scopes and expiry.",
  Secrets: 'Credentials for MCP servers, models, and web search, stored in encrypted form.',
  Files: 'Raw layer files.',
  Memory: 'Markdown files that agents and people write, search, and keep between runs.',
  Webhooks: 'Webhook endpoints and deliveries.',
  Hooks: 'Inbound webhooks from other services that start runs.',
  Schedules: 'Runs that start on a schedule.',
  Sessions: 'Conversations: runs that share a transcript and run one after another.',
  OpenAI: 'Runs for OpenAI clients: responses and chat completions.',
  A2A: 'Agents and runs for A2A 1.0 clients.',
  'AG-UI': 'Conversation turns for AG-UI clients.',
  System: 'Deployment health and limits.',
}

export function openapi(routes: readonly Route[]): Document {
  const paths: Record<string, Record<string, unknown>> = {}
  const schemas = schemasOf(askedOf(routes), toldOf(routes))
  const conditional = conditionalPaths(routes)
  const parameters = { ...sharedParameters(routes), ...WEBHOOK_PARAMETERS }
  for (const route of routes) {
    const path = route.path.replace('+}', '}')
    const described = operation(route, schemas, conditional, parameters)
    paths[path] = { ...paths[path], [route.method]: described }
  }
  return {
    openapi: '3.1.0',
    info: INFO,
    servers: [
      { url: 'http://127.0.0.1:8787', description: 'A Node server with its default settings' },
    ],
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({
      name,
      description: TAGS[name] ?? name,
    })),
    paths,
    webhooks: webhooks(schemas),
    components: {
      securitySchemes: {
        key: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key, a token, or a JSON Web Token of a trusted issuer',
        },
      },
      parameters,
      headers: headerComponents(),
      responses: problemResponses(routes, schemas.response(Problem)),
      schemas: sortedByName(schemas.components),
    },
  }
}

/** Sorts components by name, because their declaration order depends on imports. */
const sortedByName = (components: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(components).sort(([id], [other]) => (id < other ? -1 : 1)))

const askedOf = (routes: readonly Route[]): z.ZodType[] =>
  routes.flatMap(({ body }) => (body ? [body] : []))

const toldOf = (routes: readonly Route[]): z.ZodType[] => [
  Problem,
  WebhookBody,
  CloudEvent,
  ...routes
    .flatMap(({ answers }) => Object.values(answers))
    .flatMap(({ schema, stream }) => [schema, stream])
    .filter((schema) => schema !== undefined),
]

function operation(
  route: Route,
  schemas: Schemas,
  conditional: ReadonlySet<string>,
  shared: Readonly<Record<string, Parameter>>,
): unknown {
  const answers = Object.entries(route.answers).map(([status, answer]) => [
    status,
    {
      description: answer.description,
      headers: headersOf(route, status, conditional),
      ...contentOf(answer, schemas),
    },
  ])
  return {
    tags: [route.tag],
    operationId: route.id,
    summary: route.summary,
    ...(route.description ? { description: route.description } : {}),
    security: route.scope === null ? [] : [{ key: [] }],
    parameters: parametersOf(route).map((parameter) => parameterIn(shared, parameter)),
    ...requestBody(route, schemas),
    responses: { ...refusalsOf(route), ...Object.fromEntries(answers) },
  }
}

/**
 * Returns the OpenAPI content of a response. A stream has the schema of one event's data, because
 * OpenAPI 3.1 cannot express more.
 */
function contentOf({ schema, type, stream }: Answer, schemas: Schemas): object {
  if (!schema && !type) return {}
  const body = schema ? { schema: schemas.response(schema) } : {}
  const events = stream ? { 'text/event-stream': { schema: schemas.response(stream) } } : {}
  return { content: { [type ?? JSON_TYPE]: body, ...events } }
}

function requestBody(route: Route, schemas: Schemas): object {
  const content = route.body
    ? { [JSON_TYPE]: { schema: schemas.request(route.body), ...examplesOf(route, route.body) } }
    : route.rawBody
      ? { [route.rawBody]: rawContent(route, schemas) }
      : undefined
  return content ? { requestBody: { required: route.bodyOptional !== true, content } } : {}
}

function rawContent(route: Route, schemas: Schemas): object {
  const { rawBody, rawShape } = route
  if (!rawShape) return {}
  const examples = rawBody === JSON_TYPE ? examplesOf(route, rawShape) : {}
  return { schema: schemas.response(rawShape), ...examples }
}

const examplesOf = (route: Route, body: z.ZodType) => ({ examples: bodyExamples(route, body) })
