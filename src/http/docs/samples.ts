/**
 * Generates code samples of each operation for curl, TypeScript (`strata/client`), and Python, as
 * `x-codeSamples`
 * (https://redocly.com/docs-legacy/api-reference-docs/specification-extensions/x-code-samples).
 * Parameters contain their examples, and a request body is its first example.
 */

import type { Document } from '../openapi/document.ts'
import {
  APPROVAL,
  DELIVERY,
  ENDPOINT,
  FANOUT,
  HOOK,
  RUN,
  SESSION,
} from '../schemas/shared/story.ts'
import { CLIENT_CALLS } from './client-calls.ts'
import { START } from './start.ts'

type Examples = Readonly<Record<string, { readonly value: unknown }>>
interface Parameter {
  readonly name?: string
}
interface Operation {
  readonly parameters: readonly Parameter[]
  readonly operationId: string
  readonly security: readonly unknown[]
  readonly requestBody?: {
    readonly required: boolean
    readonly content: Readonly<Record<string, { readonly examples?: Examples }>>
  }
}
interface Contract {
  readonly info: { readonly description: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}
interface Sample {
  readonly lang: string
  readonly label: string
  readonly source: string
}

/** Sample request, independent of the language. */
interface Request {
  readonly method: string
  /** Request path with example values for its parameters. */
  readonly path: string
  readonly places: readonly string[]
  readonly isPublic: boolean
  /** Request body; undefined if the request has none. */
  readonly body: { readonly json: unknown } | { readonly file: string } | undefined
  /**
   * Client method that sends the request, for example `runs.create`; undefined if no method does.
   */
  readonly call: string | undefined
}

/** Adds code samples to the contract, addressed to the origin that serves the contract. */
export function withSamples(document: Document): Document {
  const { info, paths } = document as unknown as Contract
  const sampled = Object.entries(paths).map(([path, methods]) => [
    path,
    Object.fromEntries(
      Object.entries(methods).map(([method, operation]) => {
        const request = requestOf(method, path, operation)
        const parameters = operation.parameters.map(unfilled)
        return [method, { ...operation, parameters, 'x-codeSamples': samplesOf(request) }]
      }),
    ),
  ])
  const description = `${START}\n${info.description}`
  return {
    ...document,
    info: { ...info, description },
    servers: [{ url: '/' }],
    paths: Object.fromEntries(sampled),
  }
}

const samplesOf = (request: Request): Sample[] => [
  { lang: 'Shell', label: 'curl', source: curl(request) },
  { lang: 'JavaScript', label: 'TypeScript', source: typescript(request) },
  { lang: 'Python', label: 'Python', source: python(request) },
]

/**
 * Removes the example of the `Prefer` parameter, which RapiDoc would fill in; a run should be
 * awaited only on request.
 */
const unfilled = (parameter: Parameter): Parameter =>
  parameter.name === 'prefer' ? { ...parameter, ...{ 'x-fill-example': 'no' } } : parameter

function requestOf(method: string, path: string, operation: Operation): Request {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const places = names.map((name) => placeOf(name, path))
  let at = 0
  return {
    method: method.toUpperCase(),
    path: path.replace(/\{\w+\}/g, () => places[at++] ?? ''),
    places,
    isPublic: operation.security.length === 0,
    body: bodyOf(operation),
    call: CLIENT_CALLS[operation.operationId],
  }
}

const IDS: Readonly<Record<string, string>> = {
  runs: RUN,
  fanouts: FANOUT,
  sessions: SESSION,
  approvals: APPROVAL,
  hooks: HOOK,
  'webhook-endpoints': ENDPOINT,
  'webhook-deliveries': DELIVERY,
}

function placeOf(name: string, path: string): string {
  const [, kind = ''] = /^\/v1\/([\w-]+)/.exec(path) ?? []
  if (name === 'id') return IDS[kind] ?? 'ID'
  if (name === 'path') return kind === 'memory' ? 'shared/MEMORY.md' : 'base/AGENTS.md'
  return name.toUpperCase()
}

function bodyOf({ requestBody }: Operation) {
  if (!requestBody) return undefined
  const { 'application/json': json } = requestBody.content
  if (!json) return { file: 'AGENTS.md' }
  const [example] = Object.values(json.examples ?? {})
  if (example === undefined) return requestBody.required ? { json: {} } : undefined
  return { json: example.value }
}

function curl({ method, path, isPublic, body }: Request): string {
  const shellQuote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
  const parts = [
    `curl -s${method === 'GET' || (method === 'POST' && body) ? '' : ` -X ${method}`} "$STRATA_URL${path}"`,
    ...(isPublic ? [] : ['-H "Authorization: Bearer $STRATA_API_KEY"']),
  ]
  if (body && 'json' in body)
    parts.push(`-H 'Content-Type: application/json'`, `-d ${shellQuote(JSON.stringify(body.json))}`)
  if (body && 'file' in body) parts.push(`--data-binary @${body.file}`)
  return parts.join(' \\\n  ')
}

function typescript({ method, path, places, isPublic, body, call }: Request): string {
  const json = body && 'json' in body ? JSON.stringify(body.json, null, 2) : undefined
  if (call === undefined) return fetched({ method, path, isPublic, json, body })
  const args = [
    ...places.map((place) => `'${place}'`),
    ...(json === undefined ? [] : [json]),
    ...(body && 'file' in body ? ["'# Rules'"] : []),
  ]
  return [
    "import { createClient } from 'strata/client'",
    '',
    'const strata = createClient()',
    `const answer = await strata.${call}(${args.join(', ')})`,
  ].join('\n')
}

/** Name of the global `fetch` in a sample's text; this module sends no request. */
const GLOBAL = 'fetch'

/** Generates a TypeScript sample that calls `fetch`, for an operation without a client method. */
function fetched(request: Omit<Request, 'places' | 'call'> & { json: string | undefined }): string {
  const { method, path, isPublic, json, body } = request
  const headers = [
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code that is shown.
    ...(isPublic ? [] : ['authorization: `Bearer ${process.env.STRATA_API_KEY}`']),
    ...(json === undefined ? [] : ["'content-type': 'application/json'"]),
  ]
  const options = [
    `method: '${method}'`,
    ...(headers.length === 0 ? [] : [`headers: { ${headers.join(', ')} }`]),
    ...(json === undefined ? [] : [`body: JSON.stringify(${json})`]),
    ...(body && 'file' in body ? ["body: '# Rules'"] : []),
  ]
  return `const answer = await ${GLOBAL}(\`\${process.env.STRATA_URL}${path}\`, {\n  ${options.join(',\n  ')},\n})`
}

function python({ method, path, isPublic, body }: Request): string {
  const args = [
    ...(isPublic ? [] : [`headers={"Authorization": f"Bearer {os.environ['STRATA_API_KEY']}"}`]),
    ...(body && 'json' in body ? [`json=${literal(body.json)}`] : []),
    ...(body && 'file' in body ? [`data=open("${body.file}", "rb")`] : []),
  ]
  const lines = [`f"{os.environ['STRATA_URL']}${path}"`, ...args]
  return [
    'import os, requests',
    '',
    `answer = requests.${method.toLowerCase()}(`,
    ...lines.map((line) => `    ${line},`),
    ')',
    'answer.raise_for_status()',
  ].join('\n')
}

/** Formats a JSON value as a Python literal. */
function literal(value: unknown): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value !== 'object') return JSON.stringify(value)
  const members = Object.entries(value as object).map(
    ([key, item]) => `${JSON.stringify(key)}: ${literal(item)}`,
  )
  return `{${members.join(', ')}}`
}
