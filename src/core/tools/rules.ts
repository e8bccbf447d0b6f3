/**
 * Whether a tool may be called, needs a person's approval, or is denied: the strictest of the
 * tenant's policy, the server's `approval` map, the agent file and the skills (`confirm-before`).
 * All but the policy is pinned when the run starts; the policy counts as it is at each call.
 */

import { matchSegment } from '../../lib/glob.ts'
import { own } from '../../lib/own.ts'
import { confirmations, confirmIn } from '../config/agent/permission.ts'
import { covers, translate } from '../config/agent/tools.ts'
import type { ToolRef } from '../config/layer/catalog.ts'
import { grantOf } from '../config/layer/catalog.ts'
import type { AgentEntry, ApprovalRule, ServerEntry, SkillEntry } from '../config/types.ts'
import { isManaging, MANAGING } from '../manage/registry.ts'
import type { Policy } from '../policy.ts'
import { approvalOf, denied } from '../policy.ts'
import type { Pin, Route } from '../run/log/pin.ts'
import type { Inherited } from '../run/log/spec.ts'
import { BUILTINS } from './builtin/index.ts'
import type { Ruling } from './ruling.ts'

export interface RuleSources {
  readonly agent: Pick<AgentEntry, 'id' | 'asks'>
  /** Questions of the agents above. */
  readonly above: Inherited['asks']
  readonly skills: readonly Pick<SkillEntry, 'id' | 'metadata' | 'extra'>[]
  readonly servers: readonly Pick<ServerEntry, 'name' | 'approval'>[]
}

/** The rules of everything but the policy, by tool name; what is allowed is left out. */
export function pinnedRules(
  routes: Readonly<Record<string, Route>>,
  sources: RuleSources,
): Readonly<Record<string, Ruling>> {
  const out: Record<string, Ruling> = Object.create(null)
  for (const [name, route] of Object.entries(routes)) {
    const ruling = strictest(rulesFor(name, route, sources))
    if (ruling) out[name] = ruling
  }
  return out
}

function rulesFor(name: string, route: Route, sources: RuleSources): (Ruling | undefined)[] {
  const ref = refOf(name, route)
  const asked = (words: readonly string[], by: string): Ruling | undefined =>
    words.some((word) => means(word, name, ref)) ? { rule: 'ask', by } : undefined
  return [
    serverRule(name, route, sources.servers),
    asked(sources.agent.asks ?? [], `the agent ${sources.agent.id}`),
    ...sources.above.map(({ tool, agent }) => asked([tool], `the agent ${agent}`)),
    ...sources.skills.map((skill) => asked(confirmBefore(skill), `the skill ${skill.id}`)),
  ]
}

const refOf = (name: string, route: Route): ToolRef =>
  route.kind === 'mcp'
    ? { kind: 'mcp', server: route.server, name: route.tool }
    : { kind: 'builtin', name }

/** A grant, the word of any product, or a glob over the name that models see. */
function means(word: string, name: string, ref: ToolRef): boolean {
  const grant = grantOf(ref)
  const grants = translate(word) ?? [word]
  return grants.some((one) => covers(one, grant)) || denied([word], name)
}

function serverRule(
  name: string,
  route: Route,
  servers: RuleSources['servers'],
): Ruling | undefined {
  if (route.kind !== 'mcp') return undefined
  const server = servers.find((one) => one.name === route.server)
  const rules = Object.entries(server?.approval ?? {})
    .filter(([glob]) => matchSegment(glob, route.tool) || matchSegment(glob, name))
    .map(([, rule]) => ruled(rule, `the MCP server ${route.server}`))
  return strictest(rules)
}

const ruled = (rule: ApprovalRule | undefined, by: string): Ruling | undefined =>
  rule === undefined || rule === 'allow' ? undefined : { rule, by }

const strictest = (rules: readonly (Ruling | undefined)[]): Ruling | undefined =>
  rules.find((one) => one?.rule === 'deny') ?? rules.find((one) => one !== undefined)

/** `confirm-before` of a skill: in its metadata, in a product's part of it, or at the top. */
function confirmBefore({ metadata, extra }: Pick<SkillEntry, 'metadata' | 'extra'>): string[] {
  const places = [extra, metadata, ...Object.values(metadata)]
  return places.flatMap((place) =>
    isMap(place) ? confirmIn(place).flatMap((value) => confirmations(value, null).words) : [],
  )
}

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const POLICY = 'the policy of the tenant'
const ASKING: ReadonlySet<string> = new Set(
  BUILTINS.filter(({ asks }) => asks).map(({ name }) => name),
)

/** The verdict on a call now; undefined when it may simply be made. */
export function rulingOf(tool: string, pin: Pick<Pin, 'rules'>, policy: Policy) {
  return strictest([policyRule(tool, policy), own(pin.rules, tool)])
}

function policyRule(tool: string, policy: Policy): Ruling | undefined {
  if (denied(policy.deny.tools, tool)) return { rule: 'deny', by: POLICY }
  const rule = approvalOf(policy, tool)
  if (rule !== undefined) return ruled(rule, POLICY)
  // A model that changes the configuration of later runs is watched unless somebody says otherwise.
  const writes = isManaging(tool) && MANAGING[tool].writes
  return writes || ASKING.has(tool) ? { rule: 'ask', by: POLICY } : undefined
}

/** The model's answer for a call that is denied. */
export const deniedText = (tool: string, { by }: Ruling): string =>
  isManaging(tool)
    ? operationRefused('denied_by_policy', `${upper(by)} denies ${tool}.`)
    : `denied_by_policy: ${by} denies ${tool}.`

/** The model's answer when a person would have to be asked and nobody can be. */
export const unattendedText = (tool: string, { by }: Ruling): string => {
  const text = `${upper(by)} asks a person before ${tool}, and nobody can be asked in this run.`
  return isManaging(tool)
    ? operationRefused('approval_required', text)
    : `approval_required: ${text}`
}

const operationRefused = (code: string, error: string): string =>
  JSON.stringify({ success: false, code, error })
const upper = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
