/** Where the skills, agents and servers of a library with any layout go, below a layer. */

import './buffer.ts'
import { looseRecords } from '../../../core/config/layer/library-scan.ts'

/** Paths that are in no place of the answer are read by nobody. `read` has what ends with .md or .toml. */
export function arrangedPaths(
  paths: readonly string[],
  read: (path: string) => Uint8Array,
): Map<string, string> {
  const records = looseRecords(paths.toSorted(), read)
  const places = new Map<string, string>()
  const skills: (readonly [directory: string, place: string])[] = []
  for (const { path, kind, id, status } of records) {
    if (status === 'rejected' || status === 'ignored') continue
    if (kind === 'agent' && id !== null) places.set(path, `.agents/agents/${id}.md`)
    if (kind === 'config') places.set(path, '.agents/config.toml')
    if (kind !== 'skill' || id === null) continue
    const directory = path.slice(0, path.lastIndexOf('/') + 1)
    skills.push([directory, `.agents/skills/${id}/`])
    places.set(path, `.agents/skills/${id}/SKILL.md`)
  }
  for (const path of paths) {
    // The innermost skill that a file lies in has it.
    const within = skills
      .filter(([directory]) => path.startsWith(directory))
      .toSorted(([one], [other]) => other.length - one.length)[0]
    if (within && !places.has(path)) places.set(path, `${within[1]}${path.slice(within[0].length)}`)
  }
  return places
}
