import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileLayer, parseLayerFile } from '../../../../src/core/config/layer/compile.ts'
import { filesToRead, planLayer } from '../../../../src/core/config/layer/layer.ts'
import { fold } from '../../../../src/core/config/layer/resolve.ts'
import { DEFAULT_POLICY } from '../../../../src/core/policy.ts'
import { encode } from '../../../../src/lib/bytes.ts'
import { cases } from '../../../support/full.ts'

/**
 * The fold against a small reference model: random layers are written as files and resolved, and
 * the model answers the same question from the description alone.
 */

type File = 'absent' | 'good' | 'broken'
interface SkillDir {
  readonly main: File
  readonly off: boolean
}
interface ServerText {
  readonly transport: 'none' | 'url' | 'command' | 'both'
  readonly enabled: boolean | null
  readonly header: string | null
}
interface Layer {
  /** By directory of rising precedence. */
  readonly skills: readonly (readonly SkillDir[])[]
  readonly agents: readonly (readonly File[])[]
  readonly servers: readonly (ServerText | null)[]
  readonly brokenToml: boolean
}

const NAMES = ['a', 'b']
const SKILL_DIRS = ['.neovate', '.agents', '.claude']
const AGENT_DIRS = ['.netclaw', '.neovate', '.agents', '.claude']

const file = fc.constantFrom<File>('absent', 'absent', 'good', 'broken')
const skillDir = fc.record({ main: file, off: fc.boolean() })
const serverText = fc.record({
  transport: fc.constantFrom('none', 'none', 'url', 'command', 'both'),
  enabled: fc.constantFrom(null, true, false),
  header: fc.constantFrom(null, 'one', 'two'),
}) as fc.Arbitrary<ServerText>
const per = <T>(value: fc.Arbitrary<T>) => fc.tuple(...NAMES.map(() => value))
const layer: fc.Arbitrary<Layer> = fc.record({
  skills: fc.tuple(...SKILL_DIRS.map(() => per(skillDir))),
  agents: fc.tuple(...AGENT_DIRS.map(() => per(file))),
  servers: per(fc.option(serverText)),
  brokenToml: fc.boolean().map((one) => one),
})

function filesOf(one: Layer, prefix: string): Map<string, string> {
  const files = new Map<string, string>()
  const text = (body: string, name: string, kind: File) =>
    kind === 'good'
      ? `---\nname: ${name}\ndescription: d\n---\n${body}`
      : `---\nname: ${name}\n---\nx`
  one.skills.forEach((dirs, place) => {
    dirs.forEach(({ main, off }, index) => {
      const root = `${SKILL_DIRS[place]}/skills/${NAMES[index]}`
      if (main !== 'absent')
        files.set(`${root}/SKILL.md`, text(`${prefix}${place}`, NAMES[index]!, main))
      if (off) files.set(`${root}/.disabled`, '')
    })
  })
  one.agents.forEach((kinds, place) => {
    kinds.forEach((kind, index) => {
      if (kind === 'absent') return
      const path = `${AGENT_DIRS[place]}/agents/${NAMES[index]}.md`
      files.set(path, text(`${prefix}${place}`, NAMES[index]!, kind))
    })
  })
  const toml = one.servers.flatMap((server, index) =>
    server === null ? [] : [`[mcp_servers.${NAMES[index]}]`, ...serverLines(server, prefix)],
  )
  files.set('.agents/config.toml', one.brokenToml ? 'x = = y' : toml.join('\n'))
  return files
}

const serverLines = ({ transport, enabled, header }: ServerText, prefix: string): string[] => [
  ...(transport === 'url' || transport === 'both' ? [`url = "https://${prefix}.example/"`] : []),
  ...(transport === 'command' || transport === 'both' ? [`command = "${prefix}"`] : []),
  ...(enabled === null ? [] : [`enabled = ${enabled}`]),
  ...(header === null ? [] : [`http_headers = { "${header}" = "${prefix}" }`]),
]

function resolved(layers: readonly Layer[]) {
  const compiled = layers.map((one, index) => {
    const prefix = `l${index}`
    const files = filesOf(one, prefix)
    const plan = planLayer(
      index === 0 ? 'base' : 'repo',
      `${prefix}/`,
      [...files.keys()].map((path) => ({ path, etag: 'e', size: 1 })),
    )
    const wanted = new Set(filesToRead(plan).map((read) => read.path))
    const result = compileLayer(plan, ({ path }) =>
      wanted.has(path) ? parseLayerFile(path, encode(files.get(path) ?? '')) : undefined,
    )
    return { files, result }
  })
  const answer = fold({
    builtin: [],
    layers: compiled.map((one) => one.result),
    run: null,
    secrets: new Set(),
    bindings: new Map(),
    allowStdio: true,
    blocked: () => undefined,
    modelLack: () => undefined,
    policy: DEFAULT_POLICY,
    diagnostics: [],
  })
  return {
    answer,
    paths: compiled.flatMap((one, i) => [...one.files.keys()].map((p) => `l${i}/${p}`)),
  }
}

/** Skills: the last good text; switched by the last directory that had a word. */
function modelSkills(layers: readonly Layer[]): unknown[] {
  return NAMES.flatMap((name, index) => {
    let text: string | undefined
    let enabled = true
    layers.forEach((one, at) => {
      one.skills.forEach((dirs, place) => {
        const { main, off } = dirs[index]!
        if (main === 'good') {
          text = `l${at}${place}`
          enabled = !off
        } else if (off && text !== undefined) enabled = false
      })
    })
    return text === undefined ? [] : [[name, text, enabled]]
  })
}

function modelAgents(layers: readonly Layer[]): unknown[] {
  return NAMES.flatMap((name, index) => {
    const good = layers.flatMap((one, at) =>
      one.agents.flatMap((kinds, place) => (kinds[index] === 'good' ? [`l${at}${place}`] : [])),
    )
    return good.length === 0 ? [] : [[name, good.at(-1), good.length - 1]]
  })
}

interface ModelServer {
  url: boolean
  command: boolean
  enabled: boolean
  headers: Record<string, string>
}

function modelServers(layers: readonly Layer[]): unknown[] {
  return NAMES.flatMap((name, index) => {
    let state: ModelServer | undefined
    layers.forEach((one, at) => {
      const text = one.brokenToml ? null : one.servers[index]
      if (text === null || text === undefined) return
      const own = {
        url: text.transport === 'url' || text.transport === 'both',
        command: text.transport === 'command' || text.transport === 'both',
        enabled: text.enabled ?? true,
        headers: text.header === null ? {} : { [text.header]: `l${at}` },
      }
      if (text.transport !== 'none') state = own
      else if (state !== undefined) {
        const enabled = text.enabled ?? state.enabled
        state = { ...state, enabled, headers: { ...state.headers, ...own.headers } }
      } else if (text.enabled !== false) state = own
    })
    if (state === undefined || state.url === state.command) return []
    if (state.command && Object.keys(state.headers).length > 0) return []
    return [[name, state.url ? 'http' : 'stdio', state.enabled, state.headers]]
  })
}

describe('layer resolution', () => {
  it('matches a small reference model on random layers', () => {
    fc.assert(
      fc.property(fc.array(layer, { minLength: 1, maxLength: 2 }), (layers) => {
        const { answer, paths } = resolved(layers)
        expect(answer.skills.map((one) => [one.id, one.body, one.enabled])).toEqual(
          modelSkills(layers),
        )
        expect(
          answer.agents.map((one) => [one.id, one.system_prompt, one.origin.shadows.length]),
        ).toEqual(modelAgents(layers))
        expect(
          answer.servers.map((one) => [
            one.name,
            one.transport,
            one.enabled,
            { ...one.http_headers },
          ]),
        ).toEqual(modelServers(layers))
        // Every file has exactly one record, whatever became of it.
        expect(answer.records.map((one) => one.layer + one.path).sort()).toEqual(paths.sort())
      }),
      { numRuns: cases(400) },
    )
  })

  it('is a function of its layers, digest included', () => {
    fc.assert(
      fc.property(fc.array(layer, { minLength: 1, maxLength: 2 }), (layers) => {
        expect(resolved(layers).answer).toEqual(resolved(layers).answer)
      }),
      { numRuns: cases(30) },
    )
  })
})
