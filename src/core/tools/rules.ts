/**
 * Determines whether a tool may be called, requires a person's approval, or is denied. The
 * strictest rule applies among the tenant's policy, the server's `approval` map, the agent file,
 * and the skills (`confirm-before`). All rules except the policy are pinned when the run starts.
 * The policy that applies to a call is the current one.
 */

import { matchSegment } from '../../lib/glob.ts'
import { getOwn } from '../../lib/own-member.ts'
import { covers, translate } from '../config/agent/grants.ts'
import { confirmations, confirmIn } from '../config/agent/permission.ts'
import type { ToolRef } from '../config/layer/catalog.ts'
import { grantOf } from '../config/layer/catalog.ts'
import type {
  AgentEntry,
  ApprovalRule,
  ArgumentRules,
  ServerEntry,
  SkillEntry,
} from '../config/types.ts'
import { isManaging, MANAGING } from '../manage/registry.ts'
import type { Policy } from '../policy.ts'
import { approvalsOf, isDenied } from '../policy.ts'
import type { Pin, Route } from '../run/log/pin.ts'
import type { Inherited } from '../run/log/spec.ts'
import { HARMLESS, judgeArguments } from './argument-rules.ts'
import { BUILTINS } from './builtin/index.ts'
import type { ArgumentRuling, Ruling } from './ruling.ts'

export interface RuleSources {
  readonly agent: Pick<AgentEntry, 'id' | 'asks' | 'argument_rules' | 'origin'>
  /** Tool rules inherited from ancestor agents. */
  readonly above: Partial<Inherited>
  readonly skills: readonly Pick<SkillEntry, 'id' | 'metadata' | 'extra'>[]
  readonly servers: readonly Pick<ServerEntry, 'name' | 'approval'>[]
}

/** Returns all tool rules except the policy, for pinning. */
export const pinnedRules = (
  routes: Readonly<Record<string, Route>>,
  sources: RuleSources,
): Pick<Pin, 'rules' | 'argument_rules'> => ({
  rules: plainRules(routes, sources),
  ...argumentRules(routes, sources),
})

/** Returns tool rules by tool name, except rules that allow. */
function plainRules(
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
  const askRule = (words: readonly string[], by: string): Ruling | undefined =>
    words.some((word) => means(word, name, ref)) ? { rule: 'ask', by } : undefined
  return [
    serverRule(name, route, sources.servers),
    askRule(sources.agent.asks ?? [], `the agent ${sources.agent.id}`),
    ...(sources.above.asks ?? []).map(({ tool, agent }) => askRule([tool], `the agent ${agent}`)),
    ...sources.skills.map((skill) => askRule(confirmBefore(skill), `the skill ${skill.id}`)),
  ]
}

const refOf = (name: string, route: Route): ToolRef =>
  route.kind === 'mcp'
    ? { kind: 'mcp', server: route.server, name: route.tool }
    : { kind: 'builtin', name }

/**
 * Whether a word in a rule means a tool. The word is a grant, a name in any product, or a glob over
 * the name that models see.
 */
function means(word: string, name: string, ref: ToolRef): boolean {
  const grant = grantOf(ref)
  const grants = translate(word) ?? [word]
  return grants.some((candidate) => covers(candidate, grant)) || isDenied([word], name)
}

function serverRule(
  name: string,
  route: Route,
  servers: RuleSources['servers'],
): Ruling | undefined {
  if (route.kind !== 'mcp') return undefined
  const server = servers.find((entry) => entry.name === route.server)
  const rules = approvalIn(server, route.tool, name).map(([, rule]) =>
    typeof rule === 'string' ? rulingFrom(rule, `the MCP server ${route.server}`) : undefined,
  )
  return strictest(rules)
}

const approvalIn = (
  server: RuleSources['servers'][number] | undefined,
  tool: string,
  name: string,
) =>
  Object.entries(server?.approval ?? {}).filter(
    ([glob]) => matchSegment(glob, tool) || matchSegment(glob, name),
  )

/** Returns the rules that depend on call arguments, by tool name. */
function argumentRules(
  routes: Readonly<Record<string, Route>>,
  sources: RuleSources,
): Pick<Pin, 'argument_rules'> {
  const out: Record<string, readonly ArgumentRuling[]> = Object.create(null)
  for (const [name, route] of Object.entries(routes)) {
    const rulings = [
      ...argumentRulesOf(sources, (word) =>
        [name, ...comesWith(name)].some((toolName) =>
          means(word, toolName, refOf(toolName, route)),
        ),
      ),
      ...(route.kind === 'mcp' ? serverArguments(name, route, sources) : []),
    ]
    if (rulings.length > 0) out[name] = rulings
  }
  return Object.keys(out).length === 0 ? {} : { argument_rules: out }
}

/**
 * Returns the tool with which a tool is included, because rules on commands also apply to
 * processes.
 */
const comesWith = (name: string): string[] =>
  BUILTINS.flatMap((tool) => (tool.name === name && tool.offered?.with ? [tool.offered.with] : []))

const argumentRulesOf = (
  { agent, above }: Pick<RuleSources, 'agent' | 'above'>,
  applies: (tool: string) => boolean,
): ArgumentRuling[] =>
  [...agentArguments(agent), ...(above.argument_rules ?? [])]
    .filter(({ tool }) => applies(tool))
    .map(({ tool: _, ...ruling }) => ruling)

/** Returns the agent's argument rules with their source for people: the agent file and line. */
export const agentArguments = (
  { id, argument_rules = [], origin }: RuleSources['agent'],
  which: 'all' | 'handed down' = 'all',
): (ArgumentRuling & { readonly tool: string })[] =>
  argument_rules
    .filter(({ own: isOwn }) => which === 'all' || !isOwn)
    .map(({ tool, line, rules }) => {
      const place = line === null ? origin.key : `${origin.key} line ${line}`
      return { tool, ...rules, by: `the agent ${id} (${place})` }
    })

function serverArguments(
  name: string,
  route: Extract<Route, { kind: 'mcp' }>,
  { servers }: RuleSources,
): ArgumentRuling[] {
  const server = servers.find((entry) => entry.name === route.server)
  return approvalIn(server, route.tool, name).flatMap(([glob, rule]) =>
    typeof rule === 'string'
      ? []
      : [{ ...rule, by: `the MCP server ${route.server} (approval.${glob})` }],
  )
}

const rulingFrom = (rule: ApprovalRule | undefined, by: string): Ruling | undefined =>
  rule === undefined || rule === 'allow' ? undefined : { rule, by }

const strictest = (rules: readonly (Ruling | undefined)[]): Ruling | undefined =>
  rules.find((rule) => rule?.rule === 'deny') ?? rules.find((rule) => rule !== undefined)

/**
 * Returns the `confirm-before` words of a skill: from its metadata, a product-specific section, or
 * the top level.
 */
function confirmBefore({ metadata, extra }: Pick<SkillEntry, 'metadata' | 'extra'>): string[] {
  const places = [extra, metadata, ...Object.values(metadata)]
  return places.flatMap((place) =>
    isMap(place) ? confirmIn(place).flatMap((value) => confirmations(value, null).words) : [],
  )
}

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const POLICY = "the tenant's policy"
const ASKING: ReadonlySet<string> = new Set(
  BUILTINS.filter(({ asks }) => asks).map(({ name }) => name),
)

type GetArguments = () => Readonly<Record<string, unknown>> | undefined

/**
 * Returns the current verdict on a tool call; undefined if no rule restricts the call.
 * `getArguments` returns the call's arguments under Strata's names, or undefined if unknown.
 */
export function rulingOf(
  tool: string,
  { rules, argument_rules = {} }: Pick<Pin, 'rules' | 'argument_rules'>,
  policy: Policy,
  getArguments: GetArguments,
): Ruling | undefined {
  const byArguments = (getOwn(argument_rules, tool) ?? []).map((ruling) =>
    judgeRules(ruling, tool, getArguments, ruling.by),
  )
  return strictest([policyRule(tool, policy, getArguments), getOwn(rules, tool), ...byArguments])
}

function judgeRules(
  rules: ArgumentRules,
  tool: string,
  getArguments: GetArguments,
  by: string,
): Ruling | undefined {
  const { rule, why: reason } = judgeArguments(rules, tool, getArguments())
  return rulingFrom(rule, `${by}: ${reason}`)
}

/** Default rules for commands: read-only commands need no approval if no other rule applies. */
const UNSAID: ArgumentRules = { allow: [HARMLESS], ask: ['*'] }

function policyRule(tool: string, policy: Policy, getArguments: GetArguments): Ruling | undefined {
  if (isDenied(policy.deny.tools, tool)) return { rule: 'deny', by: POLICY }
  const rules = approvalsOf(policy, tool)
  if (rules.length > 0) {
    return strictest(
      rules.map(([glob, rule]) =>
        typeof rule === 'string'
          ? rulingFrom(rule, POLICY)
          : judgeRules(rule, tool, getArguments, `${POLICY} (approvals.${glob})`),
      ),
    )
  }
  // Calls that change the configuration of later runs require approval unless a rule says
  // otherwise.
  const writes = isManaging(tool) && MANAGING[tool].writes
  const asks =
    writes || (ASKING.has(tool) && judgeArguments(UNSAID, tool, getArguments()).rule === 'ask')
  return asks ? { rule: 'ask', by: POLICY } : undefined
}

/** Returns the tool result for a call that a rule denies. */
export const deniedText = (tool: string, { by }: Ruling): string =>
  isManaging(tool)
    ? operationRefused('denied_by_policy', `${upper(by)} denies ${tool}.`)
    : `denied_by_policy: ${by} denies ${tool}.`

/** Returns the tool result for a call that requires approval when no person is available. */
export const unattendedText = (tool: string, { by }: Ruling): string => {
  const text = `${upper(by)} requires approval for ${tool}, but no person is available in this run.`
  return isManaging(tool)
    ? operationRefused('approval_required', text)
    : `approval_required: ${text}`
}

const operationRefused = (code: string, error: string): string =>
  JSON.stringify({ success: false, code, error })
const upper = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
