/**
 * Declares a layer resource once, with routes to list, read, write, change, delete, and restore.
 * Each route performs one registry operation (`engine/manage/index.ts`), like the tool with the
 * operation's name and `POST /mcp`. All routes check `If-Match` and `If-None-Match`, and respond
 * with the etag.
 */

import type * as z from 'zod'
import { LIMITS } from '../../core/limits.ts'
import type { ResourceKind } from '../../engine/manage/history.ts'
import type { InputOf, RegisteredName } from '../../engine/manage/index.ts'
import { conditions } from '../request/conditions.ts'
import { type Api, type Route, route } from '../request/route.ts'
import { layerQuery, writeQuery } from '../schemas/layers/manage.ts'
import { Deleted } from '../schemas/layers/manage-responses.ts'
import { list } from '../schemas/shared/common.ts'
import { etagOf, performed } from './manage.ts'
import { versionRoutes } from './versions.ts'

export interface Resource {
  /** Path of the resource collection: `/v1/skills`. */
  readonly path: `/v1/${string}`
  /** Singular noun for the resource in operation IDs: `Skill`. */
  readonly noun: string
  /** Resource kind in texts, singular with article or plural: `a skill`, `skills`. */
  readonly what: string
  readonly many: string
  /** Description of the response when a single resource is read. */
  readonly one: string
  /**
   * Name of the path parameter in the contract, and the operation parameter for the resource's
   * name.
   */
  readonly name: string
  readonly nameIn: 'name' | 'agent_name' | 'skill_name'
  readonly kind: ResourceKind
  readonly shown: z.ZodType
  readonly written: z.ZodType
  readonly list: Declared
  readonly get: Declared
  readonly put: Declared
  readonly patch: Declared
  readonly remove: Words & { readonly operation: RegisteredName }
  readonly rollback: RegisteredName
}

/** Contract texts of a route that do not follow from its resource. */
interface Words extends Partial<Pick<Route, 'id' | 'summary' | 'bodyLimit' | 'query'>> {
  readonly description: string
}

export interface Declared extends Words {
  readonly operation: RegisteredName
  /** Schema of a read request's query or a write request's body. */
  readonly takes: z.ZodType
  readonly given: (parsed: unknown) => object
}

/** Parameters of an operation except the layer and the resource name. */
type ResourceInput<N extends RegisteredName> = Omit<
  InputOf<N>,
  'role' | 'repo_dir' | 'scope' | 'layer' | 'name' | 'agent_name' | 'skill_name'
>

/** Converts a registry operation to a route of a resource, with the operation's parameters. */
export function operation<N extends RegisteredName>(
  name: N,
  takes: z.ZodType<ResourceInput<N>>,
  words: Words,
): Declared
export function operation<N extends RegisteredName, P>(
  name: N,
  takes: z.ZodType<P>,
  words: Words,
  toInput: (parsed: P) => ResourceInput<N>,
): Declared
export function operation(
  name: RegisteredName,
  takes: z.ZodType,
  words: Words,
  toInput: (parsed: never) => object = (parsed) => parsed,
): Declared {
  return { ...words, operation: name, takes, given: toInput as Declared['given'] }
}

/** Route limits for a body that contains a whole file. */
export const WHOLE_FILE = { bodyLimit: LIMITS.file_body_bytes } as const

export function resource(api: Api, of: Resource): void {
  readRoutes(api, of)
  writeRoutes(api, of)
  versionRoutes(api, of)
}

function readRoutes(api: Api, of: Resource): void {
  const reads = {
    tag: 'Management',
    params: { name: of.name },
    scope: 'layers:read',
    method: 'get',
    refusals: [422],
  } as const
  route(
    api,
    {
      ...reads,
      id: `list${of.noun}s`,
      path: of.path,
      summary: `List the ${of.many} in a layer`,
      description: of.list.description,
      query: of.list.takes as z.ZodObject,
      answers: { 200: { description: 'Aliases, ordered by name', schema: list(of.shown) } },
    },
    async (call) => {
      const result = await performed(call, of, of.list.operation, call.query)
      // The whole list fits in one page, because the number of resources in a layer is limited.
      return call.c.json({ data: result[`${of.kind}s`], next_cursor: null, has_more: false })
    },
  )
  route(
    api,
    {
      ...reads,
      id: `get${of.noun}`,
      path: `${of.path}/{name}`,
      summary: `Read ${of.what}`,
      description: of.get.description,
      query: of.get.takes as z.ZodObject,
      answers: { 200: { description: of.one, schema: of.shown } },
    },
    async (call) => {
      const result = await performed(call, of, of.get.operation, call.query)
      return call.c.json(result[of.kind] as object, 200, etagOf(of, result))
    },
  )
}

function writeRoutes(api: Api, of: Resource): void {
  const writes = {
    tag: 'Management',
    params: { name: of.name },
    path: `${of.path}/{name}`,
    scope: 'layers:write',
    headers: conditions,
    refusals: [422],
  } as const
  const changed = { 200: { description: 'The restored resource', schema: of.written } } as const
  for (const method of ['put', 'patch'] as const) {
    const { takes, bodyLimit, description, query = writeQuery, ...declared } = of[method]
    route(
      api,
      {
        ...writes,
        method,
        id: declared.id ?? `${method === 'put' ? 'put' : 'update'}${of.noun}`,
        summary: declared.summary ?? `Write ${of.what}`,
        description,
        query,
        body: takes,
        ...(bodyLimit === undefined ? {} : { bodyLimit }),
        answers:
          method === 'patch'
            ? changed
            : { ...changed, 201: { description: 'Created', schema: of.written } },
      },
      async (call) => {
        const input = declared.given(call.body)
        const result = await performed(call, of, declared.operation, input)
        const isNew = method === 'put' && result.created === true
        return call.c.json(result, isNew ? 201 : 200, etagOf(of, result))
      },
    )
  }
  route(
    api,
    {
      ...writes,
      method: 'delete',
      id: `delete${of.noun}`,
      summary: of.remove.summary ?? `Delete ${of.what}`,
      description: of.remove.description,
      query: layerQuery,
      answers: {
        200: {
          description: 'Deletion result; a version preserves the content',
          schema: Deleted,
        },
      },
    },
    async (call) => call.c.json(await performed(call, of, of.remove.operation, {})),
  )
}
