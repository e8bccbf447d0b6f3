/**
 * Previews a run's configuration: layers as input, the resolved configuration as output, with the
 * origin of every entry.
 */

import type * as z from 'zod'
import { differences, type Summary, summaryOf } from '../../core/config/layer/summary.ts'
import { LIMITS } from '../../core/limits.ts'
import type { Refusal } from '../../core/problem.ts'
import { resolveWith } from '../../engine/layers/overlay.ts'
import { selection } from '../../engine/layers/selection.ts'
import { keepSummary, readSummary } from '../../engine/layers/summary.ts'
import { manage, perform } from '../../engine/manage/index.ts'
import { fail, type Outcome } from '../../lib/outcome.ts'
import type { World } from '../../ports/world.ts'
import { granted, refuse } from '../request/problem.ts'
import type { Api } from '../request/route.ts'
import { route } from '../request/route.ts'
import { managerOf } from '../resources/manage.ts'
import { Diff, DiffInput, Resolved, ResolveInput } from '../schemas/layers/config.ts'
import { ReloadInput } from '../schemas/layers/manage.ts'
import { Reloaded } from '../schemas/layers/manage-responses.ts'
import { MigrateInput, Migration } from '../schemas/layers/migrate.ts'
import { shownResolved } from '../views/redact.ts'
import { secretSources } from '../views/secret-sources.ts'

export function resolveRoutes(api: Api): void {
  route(
    api,
    {
      id: 'resolveLayers',
      method: 'post',
      path: '/v1/resolve',
      tag: 'Layers',
      summary: 'Resolve layers',
      description:
        'Returns the configuration that a run with these layers would have: the origin of ' +
        'each entry, the entries that it overrides, and one record per file. Changes nothing. ' +
        'With `overlay`, the configuration is that of the edited files.',
      scope: 'layers:read',
      body: ResolveInput,
      bodyLimit: LIMITS.overlay_body_bytes,
      answers: { 200: { description: 'The resolved configuration', schema: Resolved } },
    },
    async ({ c, world, tenant, body }) => {
      const layers = granted(selection(body))
      const resolved = granted(await resolveWith(world, tenant, layers, body.overlay))
      if (body.overlay === undefined) await keepSummary(world, tenant, resolved)
      const secrets = await secretSources(world, tenant, resolved.servers)
      return c.json({ ...shownResolved(resolved), secrets })
    },
  )
  route(
    api,
    {
      id: 'diffResolved',
      method: 'post',
      path: '/v1/resolve/diff',
      tag: 'Layers',
      summary: 'Compare two configurations',
      description:
        'Each side is an input for `/v1/resolve`, or the `config_digest` from a run or a ' +
        'resolution.',
      scope: 'layers:read',
      body: DiffInput,
      bodyLimit: LIMITS.overlay_body_bytes,
      refusals: [404],
      answers: { 200: { description: 'The differences, without values', schema: Diff } },
    },
    async ({ c, world, tenant, body }) => {
      const left = await side({ world, tenant }, 'left', body.left)
      const right = await side({ world, tenant }, 'right', body.right)
      const differ = differences(left, right)
      return c.json({ left: left.digest, right: right.digest, differences: differ })
    },
  )
  reloadRoute(api)
}

async function side(
  { world, tenant }: { readonly world: World; readonly tenant: string },
  name: 'left' | 'right',
  input: z.output<typeof DiffInput>['left'],
): Promise<Summary> {
  if ('digest' in input) {
    const summary = await readSummary(world, tenant, input.digest)
    if (summary) return summary
    throw refuse('not_found', `No configuration found with digest ${input.digest}.`)
  }
  const layers = granted(withSide(name, selection(input)))
  const resolved = await resolveWith(world, tenant, layers, input.overlay)
  return summaryOf(granted(withSide(name, resolved)))
}

/** Prefixes the JSON pointers of a rejection with the side of the comparison, `left` or `right`. */
function withSide<T>(side: 'left' | 'right', outcome: Outcome<T, Refusal>): Outcome<T, Refusal> {
  if (outcome.ok || outcome.error.errors === undefined) return outcome
  const errors = outcome.error.errors.map(({ pointer, message }) => ({
    pointer: `/${side}${pointer}`,
    message,
  }))
  return fail({ ...outcome.error, errors })
}

function reloadRoute(api: Api): void {
  route(
    api,
    {
      id: 'reloadRuntime',
      method: 'post',
      path: '/v1/runtime/reload',
      tag: 'Layers',
      summary: 'Reload all configuration',
      description: 'Clears cached files and tool lists. Active runs keep their configuration.',
      scope: 'layers:write',
      body: ReloadInput,
      answers: {
        200: { description: 'The configuration digest for the next run', schema: Reloaded },
      },
    },
    async (call) =>
      call.c.json(granted(await manage(managerOf(call), 'runtime_reload', call.body))),
  )
  route(
    api,
    {
      id: 'migrateLayer',
      method: 'post',
      path: '/v1/layers/migrate',
      tag: 'Layers',
      summary: 'Migrate a layer from the older layout',
      description:
        'Performs a dry run unless `dry_run` is false. Existing files in `.agents/` are not ' +
        'changed.',
      scope: 'layers:write',
      body: MigrateInput,
      refusals: [409],
      answers: {
        200: { description: 'Migration steps, performed or planned', schema: Migration },
      },
    },
    async (call) => {
      const manager = managerOf(call)
      const { layer, base_dir } = call.body
      if (base_dir !== undefined && layer !== 'base/') {
        const errors = [{ pointer: '/base_dir', message: 'replaces layer' }]
        throw refuse('invalid_request', 'Either `layer` or `base_dir` is required.', { errors })
      }
      const where = { role: 'main', layer, base_dir }
      return call.c.json(granted(await perform(manager, 'layers_migrate', where, call.body)))
    },
  )
}
