/** Front matter keys of an agent file. */

import * as z from 'zod'
import { LIMITS } from '../../limits.ts'
import { MEMORY_SCOPES } from '../../memory/scope.ts'
import { SETTING_SHAPE } from '../../model-settings.ts'
import { fileRead } from '../../tools/builtin/file-read.ts'
import { fileWrite } from '../../tools/builtin/file-write.ts'
import { shellExecute } from '../../tools/builtin/shell-execute.ts'
import { BOOLEAN, type FileKey, integer, MAP, mapOf, TEXT, TEXTS } from '../file-key.ts'

const RULE_WORD = z.enum(['allow', 'ask', 'deny'])
const TOOL_LIST = z.union([TEXT, TEXTS, mapOf(z.union([BOOLEAN, RULE_WORD]))])

/** Names, in any spelling, that other products use for the keys that restrict an agent. */
export const ALSO = {
  tools: ['tools', 'allowed-tools'],
  disallowedTools: ['disallowedTools', 'denied-tools', 'deny'],
  'confirm-before': ['confirm-before'],
  permission: ['permission', 'approval', 'approvals'],
} as const

const IDENTITY: readonly FileKey[] = [
  {
    name: 'name',
    schema: TEXT,
    default: 'required',
    example: 'researcher',
    about:
      'Name of the agent, in kebab-case. Runs and other agents use this name to start the ' +
      'agent.',
    otherwise: 'file',
  },
  {
    name: 'description',
    schema: TEXT,
    default: 'required',
    example: 'Answers one question and cites its sources.',
    about: 'Sentence that other agents use to decide whether to start this agent.',
    otherwise: 'file',
  },
  {
    name: 'visibility',
    schema: z.enum(['user-facing', 'internal', 'listed']),
    default: 'listed',
    example: 'internal',
    about:
      'Agent visibility. `listed`: other agents can start it. `internal`: only API ' +
      'requests, schedules, and inbound hooks can start it, and it is hidden from other ' +
      'agents. `user-facing`: limited to the tools that are safe to give to users.',
    otherwise: 'file',
  },
  {
    name: 'color',
    schema: TEXT,
    default: 'none',
    example: 'blue',
    about: 'Color of the agent in user interfaces.',
    otherwise: 'ignored',
  },
]

const RIGHTS: readonly FileKey[] = [
  {
    name: 'tools',
    aliases: ALSO.tools.slice(1),
    schema: TOOL_LIST,
    default: "all of the caller's tools",
    example: [fileRead.name, 'mcp__docs__search'],
    about:
      'Tools that the agent can use; all others are unavailable. Accepts the built-in names ' +
      'and the names that other products use.',
    otherwise: 'file',
  },
  {
    name: 'disallowedTools',
    aliases: ALSO.disallowedTools.slice(1),
    schema: TOOL_LIST,
    default: 'none',
    example: [shellExecute.name],
    about: 'Tools that the agent and its subagents cannot use.',
    otherwise: 'file',
  },
  {
    name: 'confirm-before',
    schema: TOOL_LIST,
    default: 'none',
    example: [fileWrite.name],
    about: "Tools that require a person's approval before each call.",
    otherwise: 'file',
  },
  {
    name: 'permission',
    aliases: ALSO.permission.slice(1),
    schema: z.union([RULE_WORD, mapOf(z.union([RULE_WORD, mapOf(RULE_WORD)]))]),
    default: 'none',
    example: { bash: { 'git *': 'allow', '*': 'ask' } },
    about:
      "Permission rules by tool, or by patterns for a tool's command, path, or host. The " +
      'strictest matching rule applies.',
    otherwise: 'file',
  },
]

const RUNNING: readonly FileKey[] = [
  {
    name: 'model',
    schema: z.union([TEXT, TEXTS]),
    default: "the caller's model",
    example: 'sonnet',
    about: "The agent's model: an alias, `provider/model`, or a list to try in order.",
    otherwise: 'ignored',
  },
  {
    name: 'modelRole',
    schema: z.enum(['Main', 'Fallback', 'Compaction']),
    default: 'none',
    example: 'Fallback',
    about: 'Deployment model alias to use if `model` is absent.',
    otherwise: 'file',
  },
  {
    name: 'forkContext',
    schema: BOOLEAN,
    default: 'false',
    example: true,
    about: "Whether the agent starts with its parent's conversation.",
    otherwise: 'file',
  },
  {
    name: 'timeoutSeconds',
    schema: integer(1, LIMITS.run_timeout_seconds_max),
    default: "the caller's limit",
    example: 600,
    about: 'Number of seconds after which an agent run times out.',
    otherwise: 'file',
  },
  {
    name: 'modelPatienceSeconds',
    schema: integer(0, LIMITS.model_patience_seconds_max),
    default: "the deployment's setting",
    example: 3_600,
    about: 'Number of seconds that a run keeps retrying while its model is unavailable.',
    otherwise: 'file',
  },
  {
    name: 'maxSteps',
    schema: integer(1, LIMITS.steps_max),
    default: "the caller's limit",
    example: 40,
    about: 'Maximum number of model calls in a run.',
    otherwise: 'file',
  },
  {
    name: 'emitStructuredFindings',
    schema: BOOLEAN,
    default: 'false',
    example: true,
    about: 'Whether the result is a list of findings instead of text.',
    otherwise: 'file',
  },
  {
    name: 'memory',
    schema: z.union([BOOLEAN, z.enum(MEMORY_SCOPES), MAP]),
    default: "according to the tenant's policy",
    example: 'agent',
    about:
      'Scope of the memory that persists between runs, `false` for no memory, or a map with ' +
      '`scope`, `read`, `start`, `start_bytes`, and `flush`.',
    otherwise: 'ignored',
  },
]

const SETTING_EXAMPLES: Readonly<Record<keyof typeof SETTING_SHAPE, unknown>> = {
  temperature: 0.2,
  top_p: 0.9,
  max_output_tokens: 4_000,
  reasoning_effort: 'low',
  thinking_budget: 2_000,
  stop: ['END'],
  seed: 7,
  parallel_tool_calls: false,
  provider_options: { openai: { store: false } },
}

/** Keys of the model settings, the same as in a run's `model_settings`. */
const SETTINGS: readonly FileKey[] = Object.entries(SETTING_SHAPE).map(([name, shape]) => ({
  name,
  schema: shape,
  default: "the provider's default",
  example: SETTING_EXAMPLES[name as keyof typeof SETTING_SHAPE],
  about: `${shape.description}.`,
  otherwise: 'ignored',
}))

export const AGENT_KEYS: readonly FileKey[] = [...IDENTITY, ...RIGHTS, ...RUNNING, ...SETTINGS]
