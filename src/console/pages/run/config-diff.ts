/** Differences between the configurations of two runs, with the values of both. */

import type { Schemas } from '../../app/api.ts'

type Config = Schemas['RunConfig']

const PARTS = [
  ...(['agent', 'prompt', 'model', 'limits', 'tools', 'skills', 'servers', 'agents'] as const),
  ...(['layers', 'schema', 'missing'] as const),
]
type Part = (typeof PARTS)[number]

export interface Difference {
  readonly part: Part
  /** Of a tool, a skill …; empty: the part itself. */
  readonly name: string
  readonly change: 'added' | 'removed' | 'changed'
  /** As texts; empty where there is none. */
  readonly before: string
  readonly after: string
}

/** Members of a part that has no name of its own stand under theirs. */
function valuesOf(config: Config): Readonly<Record<Part, Readonly<Record<string, unknown>>>> {
  const { prompt, notes, model, window, fallbacks, model_settings, limits } = config
  // Its prompt stands beside it.
  const { body_digest: _, ...agent } = config.agent
  return {
    agent,
    prompt: { '': prompt, notes: notes.join('\n') },
    model: { '': model, fallbacks, model_settings, window },
    limits: { ...limits },
    tools: byName(config.tools, ({ name }) => name),
    skills: byName(config.skills, ({ id }) => id),
    servers: byName(config.servers, ({ name }) => name),
    agents: byName(config.agents, ({ id }) => id),
    layers: { '': config.layers },
    schema: { '': config.output_schema },
    missing: {
      ...byName(config.missing_tools ?? [], ({ tool }) => tool),
      ...byName(config.missing_servers ?? [], ({ name }) => name),
      ...byName(config.missing_skills ?? [], ({ skill }) => skill),
    },
  }
}

const byName = <T>(all: readonly T[], name: (one: T) => string): Readonly<Record<string, T>> =>
  Object.fromEntries(all.map((one) => [name(one), one]))

/** The same value is the same text, in whatever order its members came. */
function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(sorted(value), null, 2)
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (value === null || typeof value !== 'object') return value
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(members.map(([name, one]) => [name, sorted(one)]))
}

export function differences(before: Config, after: Config): Difference[] {
  const [left, right] = [valuesOf(before), valuesOf(after)]
  return PARTS.flatMap((part) => {
    const names = new Set([...Object.keys(left[part]), ...Object.keys(right[part])])
    return [...names].flatMap((name): Difference[] => {
      const [was, is] = [textOf(left[part][name]), textOf(right[part][name])]
      if (was === is) return []
      const change = was === '' ? 'added' : is === '' ? 'removed' : 'changed'
      return [{ part, name, change, before: was, after: is }]
    })
  })
}
