/**
 * `npm run authoring`: writes the tables of `docs/authoring.md` from the loaders' keys and the
 * built-in tools. The text around them is kept.
 */

import { readFileSync, writeFileSync } from 'node:fs'
import * as z from 'zod'
import { AGENT_KEYS } from '../../src/core/config/agent/agent-keys.ts'
import type { FileKey, Otherwise } from '../../src/core/config/file-key.ts'
import { SCHEDULE_KEYS } from '../../src/core/config/schedule/schedule-keys.ts'
import { SERVER_KEYS } from '../../src/core/config/server/server-keys.ts'
import { SKILL_KEYS } from '../../src/core/config/skill/skill-keys.ts'
import { toolReferences } from '../../src/core/tools/reference.ts'
import { POSSIBLE_LACKS } from '../../src/hosts/shared/tool-lacks.ts'

export const AUTHORING_FILE = 'docs/authoring.md'

const OTHERWISE: Readonly<Record<Otherwise, string>> = {
  file: 'file rejected',
  entry: 'server unavailable',
  ignored: 'ignored, warning',
}

/** The page with its tables as the code has them. */
export function authoringPage(page: string): string {
  const tables = {
    tools: toolTable(),
    agent: keyTable(AGENT_KEYS, yaml),
    skill: keyTable(SKILL_KEYS, yaml),
    schedule: keyTable(SCHEDULE_KEYS, yaml),
    config: keyTable(SERVER_KEYS, toml),
  }
  return Object.entries(tables).reduce((text, [name, table]) => {
    const [begin, end] = [`<!-- ${name}: generated -->`, `<!-- /${name} -->`]
    const [from, to] = [text.indexOf(begin), text.indexOf(end)]
    if (from < 0 || to < from) throw new Error(`${AUTHORING_FILE} has no place for ${name}`)
    return `${text.slice(0, from + begin.length)}\n${table}\n${text.slice(to)}`
  }, page)
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
const row = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n')

function keyTable(keys: readonly FileKey[], write: (key: string, value: unknown) => string) {
  return table(
    ['Key', 'Value', 'Default', 'Example', 'Meaning', 'Another value'],
    keys.map(({ name, aliases = [], schema, default: fallback, example, about, otherwise }) => [
      [name, ...aliases].map((word) => `\`${word}\``).join(', '),
      typeOf(z.toJSONSchema(schema)),
      fallback,
      `\`${write(name, example)}\``,
      about,
      OTHERWISE[otherwise],
    ]),
  )
}

type JsonSchema = z.core.JSONSchema.JSONSchema

/** A schema in words: `integer 1 to 200`, `text or list of texts`. */
function typeOf(schema: JsonSchema): string {
  const { anyOf, enum: words, type, minimum, maximum, maxLength } = schema
  if (anyOf) return [...new Set(anyOf.map((one) => typeOf(one as JsonSchema)))].join(' or ')
  if (words) return words.map((word) => `\`${word}\``).join(', ')
  if (type === 'integer' || type === 'number') {
    const least = minimum ?? schema.exclusiveMinimum ?? 0
    return `${type} ${minimum === undefined ? 'above' : 'from'} ${least} to ${maximum}`
  }
  if (type === 'string')
    return maxLength === undefined ? 'text' : `text of at most ${maxLength} characters`
  if (type === 'array') return 'list of texts'
  if (type === 'boolean') return 'true or false'
  return 'map'
}

const yaml = (key: string, value: unknown): string =>
  `${key}: ${typeof value === 'string' && !/^[0-9*]|[:#]/.test(value) ? value : flow(value)}`

/** JSON with the blanks of YAML's flow style; texts are left as they are. */
const flow = (value: unknown): string =>
  JSON.stringify(value).replaceAll(/("(?:[^"\\]|\\.)*")|[,:]/g, (mark, text?: string) =>
    text === undefined ? `${mark} ` : text,
  )

const toml = (key: string, value: unknown): string => `${key} = ${inlineToml(value)}`
function inlineToml(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inlineToml).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(([key, one]) => {
    const name = /^[\w-]+$/.test(key) ? key : JSON.stringify(key)
    return `${name} = ${inlineToml(one)}`
  })
  return `{ ${members.join(', ')} }`
}

function toolTable(): string {
  return table(
    ['Tool', 'Names in other products', 'Purpose', 'Approval', 'Offered unless', 'Needs'],
    toolReferences(POSSIBLE_LACKS).map((tool) => [
      `\`${tool.name}\``,
      tool.aliases.map((alias) => `\`${alias}\``).join(' '),
      /^.*?(?<!e\.g)\.(?=\s+[A-Z`]|\s*$)/s.exec(tool.description)?.[0] ?? tool.description,
      tool.needs_approval ? 'each call' : '',
      tool.condition ?? '',
      tool.unavailable ?? '',
    ]),
  )
}

if (import.meta.main)
  writeFileSync(AUTHORING_FILE, authoringPage(readFileSync(AUTHORING_FILE, 'utf8')))
