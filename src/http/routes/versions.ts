/** Versions and rollback: the same for skills, agents and MCP servers. */

import * as z from 'zod'
import type { Refusal } from '../../core/problem.ts'
import type { ResourceRef } from '../../engine/manage/history.ts'
import type { Manager } from '../../engine/manage/index.ts'
import type { LayerRef } from '../../engine/manage/place.ts'
import { compareVersion, readVersion } from '../../engine/manage/versions.ts'
import type { Outcome } from '../../lib/outcome.ts'
import { conditions } from '../conditions.ts'
import { granted, layerOf, managerOf, versionsOf } from '../manage.ts'
import type { Api } from '../route.ts'
import { route } from '../route.ts'
import { list, pageQuery } from '../schemas/common.ts'
import { layerQuery, RollbackInput, writeQuery } from '../schemas/manage.ts'
import { Compared, Version, VersionWithFiles } from '../schemas/versions.ts'
import { PATH_ID } from '../schemas/words.ts'

interface Versioned<W> {
  /** The route of one thing: `/v1/skills/{name}`. */
  readonly path: string
  /** With its article: `a skill`. */
  readonly what: string
  /** As operation ids name it: `Skill`. */
  readonly noun: string
  readonly name: string
  readonly written: z.ZodType
  readonly thingOf: (place: LayerRef, name: string) => ResourceRef
  readonly rollback: (
    manager: Manager,
    place: LayerRef,
    given: { name: string; version: string },
  ) => Promise<Outcome<W, Refusal>>
  readonly etagOf: (written: W) => Record<string, string>
}

export function versionRoutes<W extends object>(api: Api, of: Versioned<W>): void {
  const shared = { tag: 'Management', params: { name: of.name } } as const
  route(
    api,
    {
      id: `list${of.noun}Versions`,
      ...shared,
      method: 'get',
      path: `${of.path}/versions`,
      summary: `Versions of ${of.what}`,
      description:
        'Every change of it in this one layer: who made it, when, and which files a rollback ' +
        'restores.',
      scope: 'layers:read',
      query: layerQuery.extend(pageQuery),
      refusals: [422],
      answers: { 200: { description: 'Newest first', schema: list(Version) } },
    },
    async (call) => {
      const place = await layerOf(managerOf(call), call.query.layer)
      const thing = of.thingOf(place, call.c.req.param('name') ?? '')
      return call.c.json(await versionsOf(call, thing, call.query))
    },
  )
  readRoutes(api, of)
  route(
    api,
    {
      id: `rollback${of.noun}`,
      ...shared,
      method: 'post',
      path: `${of.path}/rollback`,
      summary: `Restore a version of ${of.what}`,
      description:
        'Writes the files of that version again, as a new version. 409 when that version is a ' +
        'delete.',
      scope: 'layers:write',
      headers: conditions,
      query: writeQuery,
      body: RollbackInput,
      refusals: [410],
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

function readRoutes<W>(api: Api, of: Versioned<W>): void {
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
      path: `${of.path}/versions/{version}`,
      summary: `Read a version of ${of.what}`,
      description: 'With the text of each file that a rollback to it restores.',
      query: layerQuery,
      answers: { 200: { description: 'Found', schema: VersionWithFiles } },
    },
    async (call) => {
      const manager = managerOf(call)
      const place = await layerOf(manager, call.query.layer)
      const { name = '', version = '' } = call.c.req.param()
      return call.c.json(granted(await readVersion(manager, of.thingOf(place, name), version)))
    },
  )
  route(
    api,
    {
      id: `compare${of.noun}Version`,
      ...shared,
      path: `${of.path}/versions/{version}/compare`,
      summary: `Compare a version of ${of.what}`,
      description: 'With what lies there now, or with another version: before a rollback.',
      query: layerQuery.extend({
        with: z.string().max(64).default('current').describe('`current`, or the id of a version'),
      }),
      answers: { 200: { description: 'File by file', schema: Compared } },
    },
    async (call) => {
      const manager = managerOf(call)
      const place = await layerOf(manager, call.query.layer)
      const { name = '', version: id = '' } = call.c.req.param()
      const asked = { id, other: call.query.with }
      const thing = of.thingOf(place, name)
      return call.c.json(granted(await compareVersion(manager, place, thing, asked)))
    },
  )
}
