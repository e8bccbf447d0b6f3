/**
 * Declares the version and rollback routes, which are the same for skills, agents, and MCP servers.
 */

import * as z from 'zod'
import {
  historyHash,
  type ResourceKind,
  resourceRef,
  storedVersion,
} from '../../engine/manage/history.ts'
import type { RegisteredName } from '../../engine/manage/index.ts'
import { historyPartition } from '../../engine/partition/keys.ts'
import { conditions } from '../request/conditions.ts'
import { page } from '../request/page.ts'
import { type Api, route } from '../request/route.ts'
import { layerQuery, RollbackInput, writeQuery } from '../schemas/layers/manage.ts'
import { Compared, Version, VersionWithFiles } from '../schemas/layers/versions.ts'
import { list, pageQuery } from '../schemas/shared/common.ts'
import { PATH_ID } from '../schemas/shared/words.ts'
import { etagOf, layerOf, managerOf, performed } from './manage.ts'

/** Members of a resource (`resource.ts`) that the version routes need. */
interface Versioned {
  readonly path: string
  readonly noun: string
  readonly what: string
  readonly name: string
  readonly nameIn: 'name' | 'agent_name' | 'skill_name'
  readonly kind: ResourceKind
  readonly written: z.ZodType
  readonly rollback: RegisteredName
}

export function versionRoutes(api: Api, of: Versioned): void {
  const shared = { tag: 'Management', params: { name: of.name } } as const
  route(
    api,
    {
      id: `list${of.noun}Versions`,
      ...shared,
      method: 'get',
      path: `${of.path}/{name}/versions`,
      summary: `Versions of ${of.what}`,
      description:
        'Returns each change in this layer: the author, the time, and the files that a ' +
        'rollback restores.',
      scope: 'layers:read',
      query: layerQuery.extend(pageQuery),
      refusals: [422],
      answers: { 200: { description: 'The requested items', schema: list(Version) } },
    },
    async (call) => {
      const { world, tenant, query } = call
      const place = await layerOf(managerOf(call), query.layer)
      const hash = historyHash(resourceRef(of.kind, place, call.c.req.param('name') ?? ''))
      return call.c.json(await page(world, historyPartition(tenant, hash), query, storedVersion))
    },
  )
  readRoutes(api, of)
  route(
    api,
    {
      id: `rollback${of.noun}`,
      ...shared,
      method: 'post',
      path: `${of.path}/{name}/rollback`,
      summary: `Restore a version of ${of.what}`,
      description:
        'Writes the files from that version as a new version. Returns 409 if that version is ' +
        'a deletion.',
      scope: 'layers:write',
      headers: conditions,
      query: writeQuery,
      body: RollbackInput,
      refusals: [410],
      answers: { 200: { description: 'The restored resource', schema: of.written } },
    },
    async (call) => {
      const result = await performed(call, of, of.rollback, call.body)
      return call.c.json(result, 200, etagOf(of, result))
    },
  )
}

function readRoutes(api: Api, of: Versioned): void {
  const shared = {
    tag: 'Management',
    scope: 'layers:read',
    method: 'get',
    refusals: [410, 422],
    params: { name: of.name, version: PATH_ID.version },
  } as const
  route(
    api,
    {
      id: `get${of.noun}Version`,
      ...shared,
      path: `${of.path}/{name}/versions/{version}`,
      summary: `Get a version of ${of.what}`,
      description: 'Includes the text of each file that a rollback to this version restores.',
      query: layerQuery,
      answers: { 200: { description: 'The requested data', schema: VersionWithFiles } },
    },
    async (call) => {
      const { version } = call.c.req.param()
      const input = { kind: of.kind, version }
      return call.c.json(await performed(call, { nameIn: 'name' }, 'versions_get', input))
    },
  )
  route(
    api,
    {
      id: `compare${of.noun}Version`,
      ...shared,
      path: `${of.path}/{name}/versions/{version}/compare`,
      summary: `Compare a version of ${of.what}`,
      description:
        'Compares the version with the current content or with another version, for review ' +
        'before a rollback.',
      query: layerQuery.extend({
        with: z
          .string()
          .max(64)
          .default('current')
          .describe('Other side of the comparison: `current`, or the ID of a version'),
      }),
      answers: { 200: { description: 'File-by-file comparison', schema: Compared } },
    },
    async (call) => {
      const { version } = call.c.req.param()
      const input = { kind: of.kind, version, with: call.query.with }
      return call.c.json(await performed(call, { nameIn: 'name' }, 'versions_compare', input))
    },
  )
}
