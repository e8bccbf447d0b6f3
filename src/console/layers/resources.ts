/**
 * Agents, skills, and servers that a layer defines, and the operation that writes a file. Writes by
 * the operations of agents and skills keep versions; raw writes do not.
 */

import type { components } from '../../client/index.ts'
import type { FileEntry } from './tree.ts'

type Schemas = components['schemas']

export interface Defined {
  readonly kind: 'agent' | 'skill' | 'server'
  readonly name: string
  /** Key of the file that defines it. */
  readonly path: string
  /** ETag without quotes, for the operations of the resource; null if there is none. */
  readonly etag: string | null
  readonly isOn: boolean
  /** Its files that a key without `config:raw` can see. */
  readonly files: readonly FileEntry[]
}

interface Lists {
  readonly agents: readonly Schemas['LayerAgent'][]
  readonly skills: readonly Schemas['LayerSkill'][]
  readonly servers: readonly Schemas['LayerServer'][]
}

/** Returns what a layer defines; of agents with the same name only the effective one, the last. */
export function definedIn(layer: string, { agents, skills, servers }: Lists): readonly Defined[] {
  const ofAgents = agents.map(({ name, path, etag }): Defined => {
    const files = [{ path, etag: etag ?? '', size: null }]
    return { kind: 'agent', name, path, etag, isOn: true, files }
  })
  const ofSkills = skills.map(({ name, path, etag, enabled, files }): Defined => {
    const folder = path.slice(0, path.lastIndexOf('/') + 1)
    return {
      ...{ kind: 'skill', name, path, etag, isOn: enabled },
      files: files.map((file) => ({ ...file, path: folder + file.path })),
    }
  })
  const ofServers = servers.map(({ name, path, etag, enabled }): Defined => {
    const files = [{ path, etag: '', size: null }]
    return { kind: 'server', name, path, etag, isOn: enabled, files }
  })
  const all = [...ofAgents, ...ofSkills, ...ofServers].filter(({ path }) => path.startsWith(layer))
  return [...new Map(all.map((entry) => [`${entry.kind} ${entry.name}`, entry])).values()]
}

/** Returns what a file defines; a configuration file may define several servers. */
export const definedBy = (defined: readonly Defined[], path: string): readonly Defined[] =>
  defined.filter((entry) => entry.path === path)

export type WriteRoute =
  | { readonly by: 'agent' | 'skill'; readonly name: string; readonly layer: string }
  | { readonly by: 'file' }

interface Scopes {
  readonly isRaw: boolean
  readonly mayWrite: boolean
}

const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/

/** Returns the agent or skill that a new file defines by its path. */
function namedBy(path: string, layer: string): WriteRoute | undefined {
  const below = path.slice(layer.length)
  const [, agent = ''] = /^\.agents\/agents\/([^/]+)\.md$/.exec(below) ?? []
  if (NAME.test(agent)) return { by: 'agent', name: agent, layer }
  const [, skill = ''] = /^\.agents\/skills\/([^/]+)\/SKILL\.md$/.exec(below) ?? []
  return NAME.test(skill) ? { by: 'skill', name: skill, layer } : undefined
}

/** Folders in which the operations write a file at its place. */
const IN_PLACE = /^\.(?:agents|claude)\/(?:agents|skills)\//

/** Returns the operation that writes a file; undefined if the session may not write it. */
export function writeRoute(
  { path, layer }: { readonly path: string; readonly layer: string },
  defined: readonly Defined[],
  { isRaw, mayWrite }: Scopes,
): WriteRoute | undefined {
  const raw = isRaw ? ({ by: 'file' } as const) : undefined
  if (!mayWrite || layer === '') return raw
  const resource = definedBy(defined, path).find(({ kind }) => kind !== 'server')
  if (resource === undefined) {
    const route = namedBy(path, layer)
    // The operation would write the other file that defines the name.
    const isTaken =
      route !== undefined &&
      route.by !== 'file' &&
      defined.some(({ kind, name }) => kind === route.by && name === route.name)
    return (isTaken ? undefined : route) ?? raw
  }
  const isDefinition = resource.kind === 'agent' || path.endsWith('/SKILL.md')
  // The ETag of a skill that is switched off is not that of its file.
  const isOtherEtag = isRaw && !resource.isOn
  if (!isDefinition || isOtherEtag || !IN_PLACE.test(path.slice(layer.length))) return raw
  return { by: resource.kind as 'agent' | 'skill', name: resource.name, layer }
}
