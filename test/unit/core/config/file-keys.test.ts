import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parseAgentText } from '../../../../src/core/config/agent/agent.ts'
import { AGENT_KEYS } from '../../../../src/core/config/agent/agent-keys.ts'
import type { FileKey, Otherwise } from '../../../../src/core/config/file-key.ts'
import { fileSchema } from '../../../../src/core/config/file-schemas.ts'
import { parseSchedule } from '../../../../src/core/config/schedule/schedule.ts'
import { SCHEDULE_KEYS } from '../../../../src/core/config/schedule/schedule-keys.ts'
import { parseConfig } from '../../../../src/core/config/server/file.ts'
import { SERVER_KEYS } from '../../../../src/core/config/server/server-keys.ts'
import { parseSkill } from '../../../../src/core/config/skill/skill.ts'
import { SKILL_KEYS } from '../../../../src/core/config/skill/skill-keys.ts'
import { type Diagnostic, FILE_TYPES } from '../../../../src/core/config/types.ts'
import { AUTHORING_FILE, authoringPage } from '../../../tools/authoring.ts'

interface Loaded {
  readonly isRejected: boolean
  readonly found: readonly Diagnostic[]
}
interface Loader {
  readonly keys: readonly FileKey[]
  readonly head: Readonly<Record<string, unknown>>
  readonly load: (head: Readonly<Record<string, unknown>>) => Loaded
}

const bytes = (text: string) => new TextEncoder().encode(text)
/** A head in JSON's flow style, which is YAML. */
const fileOf = (head: Readonly<Record<string, unknown>>) =>
  `---\n${Object.entries(head)
    .map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`)
    .join('')}---\nText.\n`

const LOADERS: Readonly<Record<string, Loader>> = {
  agent: {
    keys: AGENT_KEYS,
    head: { name: 'one', description: 'Does it.' },
    load: (head) => {
      const { agent, found } = parseAgentText(fileOf(head), String(head.name))
      return { isRejected: agent === null, found }
    },
  },
  skill: {
    keys: SKILL_KEYS,
    head: { name: 'one', description: 'Does it.' },
    load: (head) => {
      const { skill, found } = parseSkill(bytes(fileOf(head)), String(head.name))
      return { isRejected: skill === null, found }
    },
  },
  schedule: {
    keys: SCHEDULE_KEYS,
    head: { cron: '0 8 * * *' },
    load: (head) => {
      const times = ['at', 'every'].filter((key) => key in head)
      const { cron, ...rest } = head
      const shown = times.length > 0 ? rest : { cron, ...rest }
      const { schedule, found } = parseSchedule(bytes(fileOf(shown)), String(head.name ?? 'one'))
      return { isRejected: schedule === null, found }
    },
  },
  config: {
    keys: SERVER_KEYS,
    head: {},
    load: (head) => {
      const json = JSON.stringify({ servers: { one: head } })
      const { servers, found } = parseConfig(bytes(json), 'servers.json')
      const faults = servers[0]!.faults
      return { isRejected: faults.length > 0, found: [...found, ...faults] }
    },
  },
}

const notes = ({ found }: Loaded) => found.filter(({ severity }) => severity !== 'note')
const cases = Object.entries(LOADERS).flatMap(([type, loader]) =>
  loader.keys.map((key) => ({ type, name: key.name, loader, key })),
)

describe.each(cases)('$type: $name', ({ loader: { load, head }, key }) => {
  it('loads its example without a warning', () => {
    expect(key.schema.safeParse(key.example).success).toBe(true)
    const loaded = load({ ...head, [key.name]: key.example })
    expect({ isRejected: loaded.isRejected, found: notes(loaded) }).toEqual({
      isRejected: false,
      found: [],
    })
  })

  it('treats another value as documented', () => {
    const bad = BAD_VALUES[key.name] ?? { nested: [{ deep: 1 }] }
    expect(key.schema.safeParse(bad).success).toBe(false)
    const loaded = load({ ...head, [key.name]: bad })
    expect(loaded.isRejected).toBe(REJECTED[key.otherwise])
    expect(notes(loaded).length).toBeGreaterThan(0)
  })
})

const REJECTED: Readonly<Record<Otherwise, boolean>> = {
  file: true,
  entry: true,
  ignored: false,
}
/** Values for keys whose schema admits a map of anything. */
const BAD_VALUES: Readonly<Record<string, unknown>> = {
  memory: 'elsewhere',
  metadata: ['a'],
}

it.each(FILE_TYPES)('the schema of %s describes every key of its loader', (type) => {
  const schema = fileSchema(type) as {
    readonly properties: Readonly<Record<string, { readonly additionalProperties?: object }>>
  }
  const { properties } =
    type === 'config'
      ? (schema.properties.mcp_servers!.additionalProperties as typeof schema)
      : schema
  for (const { name } of LOADERS[type]!.keys) expect(properties).toHaveProperty([name])
})

it('docs/authoring.md contains the tables of the code', () => {
  const page = readFileSync(AUTHORING_FILE, 'utf8')
  expect(page, 'run npm run authoring').toBe(authoringPage(page))
})
