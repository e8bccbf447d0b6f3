/**
 * Folds layers into the resolved configuration, as a pure function. Later layers override earlier
 * ones by name and record the entries they hide. A file that does not load never hides an earlier
 * entry. POLICY.md covers each case.
 */

import { digest, sha256 } from '../../../lib/digest.ts'
import { nameKey } from '../../../lib/name.ts'
import { isDenied } from '../../policy.ts'
import { lackOf, serverOf } from '../../tools/available.ts'
import { note, statusOf, warning } from '../diagnostic.ts'
import { foldServers, type ServerFold } from '../server/fold.ts'
import { gateReason, NO_MACHINE } from '../skill/gating.ts'
import type {
  AgentEntry,
  Diagnostic,
  FileRecord,
  Origin,
  Resolved,
  ScheduleEntry,
  ServerEntry,
  Shadow,
  SkillEntry,
} from '../types.ts'
import type { SkillCandidate } from './compile.ts'
import type { FoldInput } from './fold-input.ts'
import { unreadInstructions } from './instructions.ts'
import { shadowsOf } from './origin.ts'

export function fold(input: FoldInput): Resolved {
  const extra = new Map<string, Diagnostic[]>()
  const servers = foldServers(input)
  const agents = foldAgents(input, extra)
  for (const agent of agents) {
    const findings = missingTools(agent, servers, input)
    const { key } = agent.origin
    if (findings.length > 0) extra.set(key, [...(extra.get(key) ?? []), ...findings])
  }
  const { skills, unused } = foldSkills(input, servers)
  const schedules = foldSchedules(input, agents, extra)
  for (const { origin } of [...agents, ...skills, ...schedules]) tellShadowed(origin, extra)
  const records = input.layers.flatMap((layer) =>
    layer.records.map((record) => withFound(record, extra)),
  )
  return {
    agents,
    skills,
    servers: servers.servers,
    schedules,
    unavailable: servers.unavailable,
    lacks: input.lacks ?? {},
    records: [...records, ...servers.records],
    diagnostics: [
      ...input.diagnostics,
      ...servers.diagnostics,
      ...unused,
      ...unreadInstructions(records),
    ],
    missing_secrets: servers.missing_secrets,
    layers: input.layers.map(({ kind, prefix }) => ({ kind, layer: prefix })),
    digest: digestOf(agents, skills, servers),
  }
}

/** Reports each file that has no effect in this resolution, and the file that hides it. */
function tellShadowed({ key, shadows }: Origin, extra: Map<string, Diagnostic[]>): void {
  for (const hidden of shadows) {
    if (hidden.layer === 'builtin') continue
    extra.set(hidden.key, [
      ...(extra.get(hidden.key) ?? []),
      note('shadowed', `overridden by ${key}`),
    ])
  }
}

const byId = <T extends { readonly id: string }>(entries: Iterable<T>): T[] =>
  [...entries].sort((left, right) => (left.id < right.id ? -1 : 1))

function foldAgents(input: FoldInput, extra: Map<string, Diagnostic[]>): AgentEntry[] {
  const agents = new Map<string, AgentEntry>()
  for (const agent of [...input.builtin, ...input.layers.flatMap((layer) => layer.agents)]) {
    const hidden = agents.get(nameKey(agent.id))
    const origin =
      hidden === undefined ? agent.origin : { ...agent.origin, shadows: shadowsOf(hidden.origin) }
    agents.set(nameKey(agent.id), { ...agent, origin })
  }
  return byId(agents.values()).map((entry) => {
    const { origin } = entry
    const agent = { ...entry, tools: toolsOf(entry, input.policy) }
    const whyNot = (model: string) => (model === 'inherit' ? undefined : input.modelLack(model))
    const isKnown = (model: string) => whyNot(model) === undefined
    const model = agent.models?.find(isKnown) ?? agent.model
    const lack = model === null ? undefined : whyNot(model)
    if (lack === undefined) return { ...agent, model }
    const message = `unknown model \`${model}\`; the caller’s model is inherited. ${lack}`
    extra.set(origin.key, [warning('model_unknown', message, { hint: 'model: inherit' })])
    return { ...agent, model: null }
  })
}

/**
 * Returns the tools in an agent's list that are unavailable. A layer checked alone may be
 * incomplete.
 */
function missingTools(
  agent: AgentEntry,
  servers: ServerFold,
  { alone: isAlone = false, lacks = {} }: FoldInput,
): Diagnostic[] {
  const serverNames = new Set(servers.servers.map(({ name }) => name))
  for (const { name } of servers.unavailable) serverNames.add(name)
  return (agent.tools ?? []).flatMap((grant) => {
    const server = serverOf(grant)
    // Unknown tool names are already reported for the agent's file.
    if (server === undefined && !Object.hasOwn(lacks, grant)) return []
    if (agent.guessed?.includes(grant)) return []
    if (isAlone && server !== undefined && !serverNames.has(server)) return []
    const lack = lackOf(grant, { ...servers, lacks })
    if (lack === undefined) return []
    return [warning('tool_unavailable', `\`${grant}\` is not available: ${lack}`)]
  })
}

/** Limits the tools that a user-facing agent requests to the tenant's list, if there is one. */
function toolsOf(agent: AgentEntry, { user_facing_tools: list }: FoldInput['policy']) {
  if (agent.visibility !== 'user-facing' || list === null) return agent.tools
  return agent.asked_tools?.filter((tool) => list.includes(tool)) ?? list
}

function withFound(
  record: FileRecord,
  extra: ReadonlyMap<string, readonly Diagnostic[]>,
): FileRecord {
  const added = isEntry(record) ? extra.get(`${record.layer}${record.path}`) : undefined
  if (added === undefined || record.status === 'rejected' || record.status === 'ignored')
    return record
  const diagnostics = [...record.diagnostics, ...added]
  return { ...record, status: statusOf(diagnostics), diagnostics }
}

const ENTRIES: ReadonlySet<string> = new Set(['agent', 'skill', 'schedule'])
const isEntry = ({ kind }: FileRecord): boolean => ENTRIES.has(kind)

/**
 * Folds schedules. The agent of a schedule is checked when the schedule is enabled, because a layer
 * checked alone may not contain that agent.
 */
function foldSchedules(
  input: FoldInput,
  agents: readonly AgentEntry[],
  extra: Map<string, Diagnostic[]>,
): ScheduleEntry[] {
  const schedules = new Map<string, ScheduleEntry>()
  for (const schedule of input.layers.flatMap((layer) => layer.schedules)) {
    const hidden = schedules.get(schedule.id)
    const origin = hidden
      ? { ...schedule.origin, shadows: shadowsOf(hidden.origin) }
      : schedule.origin
    schedules.set(schedule.id, { ...schedule, origin })
  }
  const agentKeys = new Set(agents.map(({ id }) => nameKey(id)))
  for (const { request, origin } of schedules.values()) {
    const { agent } = request
    if (input.alone || agent == null || agentKeys.has(nameKey(agent))) continue
    const message = `agent \`${agent}\` not found in these layers; it cannot be enabled`
    extra.set(origin.key, [...(extra.get(origin.key) ?? []), warning('agent_unknown', message)])
  }
  return byId(schedules.values())
}

interface SkillState {
  readonly candidate: SkillCandidate
  readonly shadows: readonly Shadow[]
  readonly disabledBy: string | null
}

function foldSkills(
  input: FoldInput,
  servers: ServerFold,
): { readonly skills: SkillEntry[]; readonly unused: Diagnostic[] } {
  const states = new Map<string, SkillState>()
  const unused: Diagnostic[] = []
  for (const candidate of input.layers.flatMap((layer) => layer.skills)) {
    const previous = states.get(nameKey(candidate.id))
    if (candidate.skill !== null) {
      const shadows =
        previous === undefined
          ? []
          : [
              ...previous.shadows,
              { layer: previous.candidate.origin.layer, key: previous.candidate.origin.key },
            ]
      states.set(nameKey(candidate.id), { candidate, shadows, disabledBy: candidate.disabledBy })
    } else if (candidate.disabledBy !== null && previous !== undefined) {
      states.set(nameKey(candidate.id), { ...previous, disabledBy: candidate.disabledBy })
    } else if (candidate.disabledBy !== null) {
      const message = `${candidate.disabledBy} disables a skill that does not exist`
      unused.push(note('unused_override', message))
    }
  }
  const gate = {
    secrets: input.secrets,
    servers: new Set(usable(servers).map((server) => server.name)),
    config: input.machine?.config ?? new Map<string, string>(),
    ...(input.machine === undefined ? NO_MACHINE : { os: input.machine.os, bins: input.machine }),
  }
  const skills = byId([...states.values()].map((state) => entryOf(state, gate, input.policy)))
  return { skills, unused }
}

function entryOf(
  state: SkillState,
  gate: Parameters<typeof gateReason>[1],
  policy: FoldInput['policy'],
): SkillEntry {
  const { candidate, disabledBy, shadows } = state
  // Candidates without a skill are never stored as a state.
  const skill = candidate.skill!
  const gated = isDenied(policy.deny.skills, candidate.id)
    ? "denied by the tenant's policy"
    : gateReason(skill.metadata, gate)
  return {
    id: candidate.id,
    ...skill,
    enabled: disabledBy === null,
    available: gated === null,
    reason: disabledBy === null ? gated : `disabled by ${disabledBy}`,
    files: candidate.files,
    origin: shadows.length === 0 ? candidate.origin : { ...candidate.origin, shadows },
  }
}

const usable = (fold: ServerFold): readonly ServerEntry[] => {
  const missing = new Set(fold.unavailable.map((server) => server.name))
  return fold.servers.filter((server) => server.enabled && !missing.has(server.name))
}

/**
 * Returns a digest of everything that affects a run, independent of where it is stored: origins and
 * ETags are excluded, and bodies are represented by their digests.
 */
function digestOf(
  agents: readonly AgentEntry[],
  skills: readonly SkillEntry[],
  { servers, unavailable }: ServerFold,
): string {
  const denials = unavailable
    .filter((server) => server.code === 'denied')
    .map((server) => server.name)
  return digest({
    ...(denials.length === 0 ? {} : { denied: denials }),
    agents: agents.map(({ origin: _origin, system_prompt: _body, ...agent }) => agent),
    // An ordered list avoids sorting the keys of thousands of skills.
    skills: sha256(
      JSON.stringify(
        skills.map((skill) => [
          skill.id,
          skill.file_digest,
          skill.enabled,
          skill.available,
          skill.files.map(({ path, size }) => [path, size]),
        ]),
      ),
    ),
    servers: servers.map(({ origin: _origin, ...server }) => server),
  })
}
