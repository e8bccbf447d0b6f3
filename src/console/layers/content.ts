/** Reads, writes, and deletes files by the operation that the scopes and the kind of file permit. */

import { api, ProblemError } from '../data/api.ts'
import type { Defined, WriteRoute } from './resources.ts'
import { sizeOf, textIn } from './text.ts'

export interface Content {
  /** Text of the file; null if the file is not UTF-8 text. */
  readonly text: string | null
  /** Size in bytes. */
  readonly size: number
  /** ETag in quotes. */
  readonly etag: string
  /** Whether the text is a summary of the API, not the file. */
  readonly isSummary?: true
}

const quoted = (etag: string | null | undefined): string => `"${etag ?? ''}"`

async function unlessAbsent<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof ProblemError && error.status === 404) return null
    throw error
  }
}

/** Reads a stored file; returns null if it does not exist. */
export async function readRaw(path: string): Promise<Content | null> {
  const file = await unlessAbsent(api.files.get(path))
  if (!file) return null
  const { bytes, etag } = file
  return { text: textIn(bytes), size: bytes.length, etag: etag ?? '' }
}

const contentOf = (text: string | undefined, etag: string | null): Content => ({
  ...{ text: text ?? '', size: sizeOf(text ?? ''), etag: quoted(etag) },
})

/** Reads a file by the operation of what it defines; returns null if no operation reads it. */
export async function readDefined(
  layer: string,
  defined: readonly Defined[],
): Promise<Content | null> {
  const [resource] = defined
  if (!resource) return null
  const { kind, name } = resource
  if (kind === 'agent') {
    const agent = await unlessAbsent(api.agents.get(name, { layer }))
    return agent && contentOf(agent.agent_md, agent.etag)
  }
  if (kind === 'skill') {
    const skill = await unlessAbsent(api.skills.get(name, { layer }))
    return skill && contentOf(skill.skill_md, skill.etag)
  }
  const servers = await Promise.all(
    defined.map((server) => api.mcpServers.get(server.name, { layer })),
  )
  return { ...contentOf(JSON.stringify(servers, null, 2), null), isSummary: true }
}

interface Condition {
  readonly ifMatch?: string
  readonly ifNoneMatch?: string
}

/** Condition under which a text replaces the version with the ETag, or creates the file. */
const conditionOf = (etag: string | null): Condition =>
  etag === null ? { ifNoneMatch: '*' } : { ifMatch: etag }

/** Writes a text under its condition. Returns the new ETag in quotes. */
export async function writeText(
  path: string,
  text: string,
  { etag, route }: { readonly etag: string | null; readonly route: WriteRoute },
): Promise<string> {
  const condition = conditionOf(etag)
  if (route.by === 'file') return quoted((await api.files.put(path, text, condition)).etag)
  const options = { ...condition, query: { layer: route.layer } }
  if (route.by === 'agent') {
    const { agent } = await api.agents.put(route.name, { agent_md: text }, options)
    return quoted(agent.etag)
  }
  const { skill } = await api.skills.put(route.name, { skill_md: text }, options)
  return quoted(skill.etag)
}

/** Deletes a file. An agent is deleted by its operation, which keeps the text as a version. */
export async function deleteFile(path: string, etag: string, route: WriteRoute): Promise<void> {
  const condition = { ifMatch: etag }
  if (route.by === 'agent')
    await api.agents.delete(route.name, { ...condition, query: { layer: route.layer } })
  else await api.files.delete(path, condition)
}
