/** JSON Schemas of the files that authors write, printed by `strata schema` for editors. */

import * as z from 'zod'
import { AGENT_KEYS } from './agent/agent-keys.ts'
import type { FileKey } from './file-key.ts'
import { SCHEDULE_KEYS } from './schedule/schedule-keys.ts'
import { SERVER_KEYS } from './server/server-keys.ts'
import { SKILL_KEYS } from './skill/skill-keys.ts'
import type { FileType } from './types.ts'

type JsonSchema = Readonly<Record<string, unknown>>

const DIALECT = 'https://json-schema.org/draft/2020-12/schema'

/**
 * Returns the JSON Schema of front matter or config.toml. The schema allows unknown keys, as the
 * files do.
 */
export function fileSchema(type: FileType): JsonSchema {
  return { $schema: DIALECT, ...SCHEMAS[type]() }
}

const SCHEMAS: Readonly<Record<FileType, () => JsonSchema>> = {
  agent: () => keysSchema('Front matter of an agent file', AGENT_KEYS, ['name', 'description']),
  skill: () => keysSchema('Front matter of a SKILL.md file', SKILL_KEYS, ['name', 'description']),
  schedule: () => keysSchema('Front matter of a schedule file', SCHEDULE_KEYS, []),
  config: () => ({
    title: '.agents/config.toml',
    type: 'object',
    properties: {
      mcp_servers: {
        type: 'object',
        description: 'MCP servers, keyed by name',
        additionalProperties: keysSchema('An MCP server', SERVER_KEYS, []),
      },
    },
  }),
}

function keysSchema(
  title: string,
  keys: readonly FileKey[],
  required: readonly string[],
): JsonSchema {
  const properties = keys.flatMap(({ name, aliases = [], schema, about, example }) => {
    const value = jsonSchema(schema)
    return [
      [name, { ...value, description: about, examples: [example] }] as const,
      ...aliases.map(
        (alias) => [alias, { ...value, description: `Interpreted as ${name}.` }] as const,
      ),
    ]
  })
  return { title, type: 'object', properties: Object.fromEntries(properties), required }
}

/**
 * Returns a JSON Schema without the dialect URI, which only the root of the enclosing schema
 * contains.
 */
function jsonSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...bareSchema } = z.toJSONSchema(schema)
  return bareSchema
}
