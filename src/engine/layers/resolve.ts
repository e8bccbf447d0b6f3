/**
 * Resolves the agents, skills, and MCP servers of a run: selects layers, loads them in parallel,
 * and merges them. The result is cached by its dependencies, so an unchanged resolve costs only the
 * listings.
 */

import { builtinAgents } from '../../core/builtin/agents.ts'
import { refusedWhenStrict, warning } from '../../core/config/diagnostic.ts'
import type { ServerSource } from '../../core/config/layer/fold-input.ts'
import { ROLE_SKILLS } from '../../core/config/layer/layout.ts'
import { fold } from '../../core/config/layer/resolve.ts'
import {
  chooseLayers,
  DEFAULT_BASE,
  ROLES,
  type SelectedLayers,
} from '../../core/config/layer/select.ts'
import { inlineServers, parseConfig } from '../../core/config/server/file.ts'
import type { Bindings } from '../../core/config/server/secret-binding.ts'
import { judgeServer } from '../../core/config/server/server.ts'
import { COMMAND_NOT_FOUND } from '../../core/config/skill/gating.ts'
import type { Diagnostic, LayerSelection, Resolved } from '../../core/config/types.ts'
import type { Policy } from '../../core/policy.ts'
import { type ProblemPlace, type Refusal, refusal } from '../../core/problem.ts'
import { digest, sha256 } from '../../lib/digest.ts'
import { fileKey } from '../../lib/key.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import type { World } from '../../ports/world.ts'
import { modelLack, readPolicy, type StoredPolicy } from '../tenant/policy.ts'
import { serverSecrets } from '../tenant/redact.ts'
import { cacheKey, cacheOf, type KnownLayer } from './cache.ts'
import { invalidRole } from './invalid-role.ts'
import { prefixExists } from './list.ts'
import { loadLayer } from './load.ts'
import { Listings } from './stored-listings.ts'

export { dropCaches } from './cache.ts'

/** Cached reads that a resolve may use. */
export interface Reads {
  /** Listings to use; by default new ones, which are stored for other processes. */
  readonly listings?: Listings
  readonly policy?: Promise<StoredPolicy>
}

/**
 * Resolves the layers of a run. Rejects with `invalid_request`, `unknown_repo`,
 * `unknown_mcp_config`, `invalid_config` (`on_duplicate: reject`), or `strict`. Findings about
 * files never reject by themselves.
 */
export async function resolveLayers(
  world: World,
  tenant: string,
  selection: LayerSelection,
  { listings = new Listings(world, tenant, 'fresh'), policy: policyRead }: Reads = {},
): Promise<Outcome<Resolved, Refusal>> {
  const choice = chooseLayers(selection)
  if (!choice.ok) return choice
  beginListings(listings, choice.value)
  const pendingPolicy = policyRead ?? readPolicy(world, tenant)
  const [layers, run, { secrets, bindings }, { policy }] = await Promise.all([
    pendingPolicy.then(({ policy: { skills_role_dir: dir } }) =>
      loadLayers(world, tenant, { ...choice.value, dir, listings }),
    ),
    runServers(world, tenant, choice.value, selection),
    serverSecrets(world, tenant, selection.subject),
    pendingPolicy,
  ])
  if (!layers.ok) return layers
  if (!run.ok) return run
  const resolved = foldCached(world, tenant, layers.value, {
    run: run.value,
    secrets,
    bindings,
    policy,
  })
  const invalid = policy.on_invalid_role === 'refuse' ? roleRefused(layers.value) : undefined
  if (invalid) return fail(invalid)
  const { strict = policy.strict, on_duplicate = policy.on_duplicate } = selection
  return judge(resolved, { strict, on_duplicate })
}

/** Starts to read the layer listings in parallel with the policy. */
function beginListings(listings: Listings, { base, role, repo }: SelectedLayers): void {
  if (role === null) listings.begin(base, ROLE_SKILLS.dir)
  else listings.begin(role, null)
  if (repo !== null) listings.begin(repo, null)
}

interface LayerRequest extends SelectedLayers {
  readonly listings: Listings
  /** Folder with older skills by role, in the base layer. */
  readonly dir: string
}

interface Loaded {
  readonly layers: readonly KnownLayer[]
  readonly diagnostics: readonly Diagnostic[]
}

async function loadLayers(
  world: World,
  tenant: string,
  request: LayerRequest,
): Promise<Outcome<Loaded, Refusal>> {
  const { repo, listings } = request
  const [first, overlay, exists] = await Promise.all([
    loadFirst(world, tenant, request),
    repo === null ? undefined : loadLayer(world, { tenant, kind: 'repo', prefix: repo, listings }),
    repo === null ? true : prefixExists(world.objects, tenant, repo),
  ])
  if (!exists) {
    return fail(await unknownRepo(world, tenant, repo ?? ''))
  }
  // The repository can also be the base or role layer. Then there is only one layer.
  const same = overlay === undefined || overlay.compiled.prefix === first.layer.compiled.prefix
  const layers = same ? [first.layer] : [first.layer, overlay]
  return ok({ layers, diagnostics: first.diagnostics })
}

async function unknownRepo(world: World, tenant: string, prefix: string): Promise<Refusal> {
  const file = await world.objects.get(fileKey(tenant, prefix.slice(0, -1)))
  const reason = file ? 'is a file, not a directory' : 'does not exist (no files found)'
  const detail = `repo_dir ${prefix} ${reason}`
  return refusal('unknown_repo', detail, { errors: [{ pointer: '/repo_dir', message: detail }] })
}

/** Loads the role layer if valid, otherwise the base layer, which is never read earlier. */
async function loadFirst(
  world: World,
  tenant: string,
  { base, role, dir, listings }: LayerRequest,
): Promise<{ readonly layer: KnownLayer; readonly diagnostics: readonly Diagnostic[] }> {
  if (role !== null) {
    const request = { tenant, kind: 'role', prefix: role, onlyIfValid: true, listings } as const
    const layer = await loadLayer(world, request)
    if (layer !== undefined) return { layer, diagnostics: [] }
  }
  const [loaded, invalid] = await Promise.all([
    loadLayer(world, {
      ...{ tenant, kind: 'base', prefix: base, listings },
      roles: { dir, role: roleIn(role) },
    }),
    role === null ? [] : invalidRole(world, tenant, { base, role, dir }),
  ])
  // A load without `onlyIfValid` always returns a layer, even an empty one.
  const layer = loaded!
  const diagnostics: Diagnostic[] = [...invalid]
  // A tenant may have no base layer. An explicitly named base without files is probably misspelled.
  if (base !== DEFAULT_BASE && layer.files.length === 0) {
    diagnostics.push(warning('base_layer_empty', `${base} has no config.toml, skills, or agents`))
  }
  return { layer, diagnostics }
}

const roleIn = (prefix: string | null): string | null =>
  prefix === null ? null : prefix.slice(ROLES.length, -1)

/** Rejects a role that fell back to the base layer, if the policy forbids the fallback. */
function roleRefused({ diagnostics }: Loaded): Refusal | undefined {
  const diagnostic = diagnostics.find(({ code }) => code === 'role_layer_invalid')
  if (diagnostic === undefined) return undefined
  const message = `${diagnostic.message.replace(/, so .*$/, '')}: ${diagnostic.hint}`
  return refusal('role_layer_invalid', message, { errors: [{ pointer: '/role', message }] })
}

/** Returns the run's own MCP servers, from a file or inline; null if there are none. */
async function runServers(
  world: World,
  tenant: string,
  { configPath }: SelectedLayers,
  selection: LayerSelection,
): Promise<Outcome<ServerSource | null, Refusal>> {
  const base = { kind: 'run' as const, legacy: false }
  if (configPath !== null) {
    const object = await world.objects.get(fileKey(tenant, configPath))
    if (object === null) {
      const message = `mcp_config_path ${configPath} does not exist`
      const errors = [{ pointer: '/mcp_config_path', message }]
      return fail(refusal('unknown_mcp_config', message, { errors }))
    }
    const parsed = parseConfig(object.body, configPath)
    return ok({ ...base, layer: '', path: configPath, etag: object.etag, parsed })
  }
  if (selection.mcp_servers === undefined) return ok(null)
  const parsed = inlineServers(selection.mcp_servers)
  const errors = inlineErrors(parsed.found, parsed.servers)
  if (errors.length > 0) {
    return fail(refusal('invalid_request', 'mcp_servers contains errors', { errors }))
  }
  return ok({ ...base, layer: 'run', path: null, etag: digest(selection.mcp_servers), parsed })
}

/** Validates inline servers strictly. Findings in files are handled per file. */
function inlineErrors(
  diagnostics: readonly Diagnostic[],
  servers: ReturnType<typeof inlineServers>['servers'],
): ProblemPlace[] {
  const general = diagnostics.filter((diagnostic) => diagnostic.severity === 'error')
  return [
    ...general.map(({ message }) => ({ pointer: '/mcp_servers', message })),
    ...servers.flatMap((server) => {
      const judgement = judgeServer(server)
      const pointer = `/mcp_servers/${server.name}`
      return judgement.ok ? [] : judgement.error.map(({ message }) => ({ pointer, message }))
    }),
  ]
}

/** Dependencies of a resolve result other than its layers. */
interface Surroundings {
  readonly run: ServerSource | null
  readonly secrets: ReadonlySet<string>
  readonly bindings: Bindings
  readonly policy: Policy
}

function foldCached(
  world: World,
  tenant: string,
  { layers, diagnostics }: Loaded,
  { run, secrets, bindings, policy }: Surroundings,
): Resolved {
  const { resolved } = cacheOf(world.objects)
  const allowStdio = world.settings.allowStdioMcp
  const slot = cacheKey(
    tenant,
    ...layers.map((layer) => `${layer.compiled.kind} ${layer.fingerprint}`),
    run === null ? '' : sha256(`${run.path} ${run.etag}`),
    JSON.stringify([[...secrets].sort(), [...bindings]]),
    String(allowStdio),
    JSON.stringify(policy),
    ...diagnostics.map((diagnostic) => `${diagnostic.message} ${diagnostic.hint}`),
  )
  const cached = resolved.get(slot)
  if (cached !== undefined) return cached
  const result = fold({
    builtin: builtinAgents(),
    layers: layers.map((layer) => layer.compiled),
    run,
    secrets,
    bindings,
    allowStdio,
    machine: world.machine,
    lacks: world.settings.lacks,
    blocked: (url) => world.web.check(url),
    modelLack: (reference) => modelLack(world, policy, reference),
    policy,
    diagnostics,
  })
  // Programs may be installed on the machine later without any file change.
  if (!restsOnMachine(result)) resolved.set(slot, result)
  return result
}

const restsOnMachine = ({ skills, unavailable }: Resolved): boolean =>
  unavailable.some(({ code }) => code === COMMAND_NOT_FOUND) ||
  skills.some(({ reason }) => /^requires (?:the|one of the) program/.test(reason ?? ''))

function judge(
  resolved: Resolved,
  selection: Pick<LayerSelection, 'strict' | 'on_duplicate'>,
): Outcome<Resolved, Refusal> {
  if (selection.on_duplicate === 'reject') {
    const errors = duplicates(resolved)
    if (errors.length > 0) {
      return fail(refusal('invalid_config', 'a name is defined more than once', { errors }))
    }
  }
  if (selection.strict !== true) return ok(resolved)
  const errors = strictErrors(resolved)
  if (errors.length === 0) return ok(resolved)
  const detail = `Strict mode rejected the configuration: ${errors.length} findings.`
  return fail(refusal('strict', detail, { errors }))
}

/** Returns agents and skills that hide another file, except a replaced built-in agent. */
function duplicates(resolved: Resolved): ProblemPlace[] {
  return [...resolved.agents, ...resolved.skills].flatMap(({ id, origin }) => {
    const hidden = origin.shadows.filter((shadow) => shadow.layer !== 'builtin')
    if (hidden.length === 0) return []
    const keys = hidden.map((shadow) => shadow.key).join(', ')
    return [{ pointer: `/${origin.key}`, message: `${id} is also defined in ${keys}` }]
  })
}

function strictErrors(resolved: Resolved): ProblemPlace[] {
  const files = resolved.records.flatMap((record) =>
    record.diagnostics.filter(refusedWhenStrict).map((diagnostic) => ({
      pointer: `/${record.layer}${record.path}`,
      message:
        diagnostic.line === null
          ? diagnostic.message
          : `line ${diagnostic.line}: ${diagnostic.message}`,
    })),
  )
  const general = resolved.diagnostics.filter(refusedWhenStrict)
  return [...files, ...general.map(({ message }) => ({ pointer: '', message }))]
}
