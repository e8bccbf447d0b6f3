/** The tools that Strata brings: names, schemas, one paragraph each for the model. */

import { inputSchema, OPERATIONS, type OperationName } from '../manage/operations.ts'
import type { ToolSpec } from '../message.ts'

export interface Builtin extends ToolSpec {
  /** `repeatable`: reading, or the same twice is the same once; `write`: what changes is told first. */
  readonly mode: 'once' | 'repeatable' | 'write'
}

const text = (description: string) => ({ type: 'string', description })
const count = (description: string, maximum: number) => ({
  type: 'integer',
  minimum: 1,
  maximum,
  description,
})

function object(properties: Record<string, unknown>, required: readonly string[]) {
  return { type: 'object', properties, required, additionalProperties: false }
}

const PATH = text('Path below the working folder, e.g. `src/app.ts`')

/** The management operations as tools; reading ones may be repeated. */
const OPERATION_TOOLS = (Object.keys(OPERATIONS) as OperationName[]).map(
  (name): Builtin => ({
    name,
    mode: OPERATIONS[name].writes ? 'once' : 'repeatable',
    description: OPERATIONS[name].description,
    input_schema: inputSchema(name),
  }),
)

export const BUILTINS: readonly Builtin[] = [
  {
    name: 'file_read',
    mode: 'repeatable',
    description:
      'Reads a text file of the working folder, or one that a subagent has attached, by its name ' +
      'in the report. Long files can be read in parts by line.',
    input_schema: object(
      {
        path: PATH,
        offset: count('First line to read, from 1', 1_000_000),
        limit: count('How many lines to read', 100_000),
      },
      ['path'],
    ),
  },
  {
    name: 'file_list',
    mode: 'repeatable',
    description: 'Lists files of the working folder with their sizes in bytes.',
    input_schema: object({ path: text('Folder to list; omitted: everything') }, []),
  },
  {
    name: 'file_search',
    mode: 'repeatable',
    description: 'Finds files by a glob over their paths, e.g. `**/*.md` or `src/*.ts`.',
    input_schema: object({ pattern: text('Glob: `*` within a folder, `**` across folders') }, [
      'pattern',
    ]),
  },
  {
    name: 'content_search',
    mode: 'repeatable',
    description: 'Finds lines that contain a text. Answers `path:line: text`.',
    input_schema: object(
      {
        query: text('The text to look for, taken literally'),
        pattern: text('Glob that limits which files are searched'),
        ignore_case: { type: 'boolean', description: 'Whether capitals are ignored' },
      },
      ['query'],
    ),
  },
  {
    name: 'file_write',
    mode: 'write',
    description: 'Writes a text file of the working folder, replacing it if it exists.',
    input_schema: object({ path: PATH, content: text('The whole new content') }, [
      'path',
      'content',
    ]),
  },
  {
    name: 'file_edit',
    mode: 'write',
    description:
      'Replaces a text in a file. The old text must occur exactly once, unless `all` is true.',
    input_schema: object(
      {
        path: PATH,
        old_text: { type: 'string', minLength: 1, description: 'The text to replace' },
        new_text: text('The text to put in its place'),
        all: { type: 'boolean', description: 'Replace every occurrence' },
      },
      ['path', 'old_text', 'new_text'],
    ),
  },
  {
    name: 'attach_file',
    mode: 'repeatable',
    description:
      'Adds a file of the working folder, or one that a subagent has attached, to what this run ' +
      'hands over at its end.',
    input_schema: object({ path: PATH }, ['path']),
  },
  ...OPERATION_TOOLS,
]

export const SKILL_TOOL = 'skill'
export const SPAWN_TOOL = 'sessions_spawn'

/** The schema of the `skill` tool; its description carries the catalog. */
export const SKILL_SCHEMA = object(
  {
    name: text('The skill to open'),
    path: text('A file of the skill to read instead of its instructions'),
  },
  ['name'],
)

export const SPAWN_SCHEMA = object(
  {
    task: text('What the subagent shall do: complete, since it sees nothing of this conversation'),
    agent: text('Which agent; omitted: general'),
    label: { ...text('A short name for people'), maxLength: 200 },
    context: text(
      'What it would otherwise have to rediscover: workspace details, the wider goal of the ' +
        "user, known facts. Do not repeat the agent's own instructions.",
    ),
    role: text('The role layer to work with'),
    repo_dir: text('The repository prefix to work on, e.g. `repos/app`'),
    model: text('A model alias or `provider/model`'),
    run_timeout_seconds: { type: 'number', description: 'Time limit of the subagent, in seconds' },
    mcp_config_path: text(
      "A configuration file (below .agents/) that is the subagent's only source of servers",
    ),
    fork_context: {
      type: 'boolean',
      description: 'Whether it begins with this conversation as it was before this answer',
    },
    output_schema: { type: 'object', description: 'JSON Schema that its answer must fit' },
    output_schema_required: {
      type: 'boolean',
      description: 'Whether it fails when its answer does not fit the output_schema',
    },
  },
  ['task'],
)

/** What a run may do about its own subagents. */
export const SUBAGENTS_TOOL: ToolSpec = {
  name: 'subagents',
  description:
    'Lists the subagents that you have started, stops one, or sends one that lives a message. ' +
    'Results reach you by themselves: do not ask for them here.',
  input_schema: object(
    {
      action: { type: 'string', enum: ['list', 'stop', 'send'], description: 'What to do' },
      target: text('With `stop` and `send`: the run id, or the label of one that lives'),
      message: text('With `send`: what it reads before its next step'),
    },
    ['action'],
  ),
}

/** Names by which models call the spawn tool out of habit, and their parameters in our words. */
export const SPAWN_ALIASES: ReadonlySet<string> = new Set(['spawn_agent', 'Task', 'Agent'])
export const SPAWN_PARAMETERS: Readonly<Record<string, string>> = {
  prompt: 'task',
  description: 'label',
  subagent_type: 'agent',
  agent_type: 'agent',
  agent_id: 'agent',
  agentId: 'agent',
  name: 'label',
}
export const NESTED_SPAWN = 'Nested spawn is not allowed'
