/** Versions and rollback: the same for skills, agents and MCP servers. */

import type * as z from 'zod'
import type { Refusal } from '../../core/problem.ts'
import type { Thing } from '../../engine/manage/history.ts'
import type { Manager } from '../../engine/manage/index.ts'
import type { Place } from '../../engine/manage/place.ts'
import type { Outcome } from '../../lib/outcome.ts'
import { conditions } from '../conditions.ts'
import { granted, layerOf, managerOf, versionsOf } from '../manage.ts'
import type { Api } from '../route.ts'
import { route } from '../route.ts'
import { list, pageQuery } from '../schemas/common.ts'
import { layerQuery, RollbackInput, Version, writeQuery } from '../schemas/manage.ts'

interface Versioned<W> {
  /** The route of one thing: `/v1/skills/{name}`. */
  readonly path: string
  /** With its article: `a skill`. */
  readonly what: string
  readonly name: string
  readonly written: z.ZodType
  readonly thingOf: (place: Place, name: string) => Thing
  readonly rollback: (
    manager: Manager,
    place: Place,
    given: { name: string; version: string },
  ) => Promise<Outcome<W, Refusal>>
  readonly etagOf: (written: W) => Record<string, string>
}

export function versionRoutes<W extends object>(api: Api, of: Versioned<W>): void {
  const shared = { tag: 'Management', params: { name: of.name } } as const
  route(
    api,
    {
      ...shared,
      method: 'get',
      path: `${of.path}/versions`,
      summary: `Versions of ${of.what}`,
      scope: 'layers:read',
      query: layerQuery.extend(pageQuery),
      answers: { 200: { description: 'Newest first', schema: list(Version) } },
    },
    async (call) => {
      const place = await layerOf(managerOf(call), call.query.layer)
      const thing = of.thingOf(place, call.c.req.param('name') ?? '')
      return call.c.json(await versionsOf(call, thing, call.query))
    },
  )
  route(
    api,
    {
      ...shared,
      method: 'post',
      path: `${of.path}/rollback`,
      summary: `Restore a version of ${of.what}`,
      scope: 'layers:write',
      headers: conditions,
      query: writeQuery,
      body: RollbackInput,
      answers: { 200: { description: 'Changed', schema: of.written } },
    },
    async (call) => {
      const manager = managerOf(call)
      const place = await layerOf(manager, call.query.layer)
      const given = { name: call.c.req.param('name') ?? '', ...call.body }
      const written = granted(await of.rollback(manager, place, given))
      return call.c.json(written, 200, of.etagOf(written))
    },
  )
}
