/**
 * Rules that exclude files of a local folder from a push: those of the folder, and those of the
 * surrounding repository. `--include` overrides every exclusion.
 */

import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import {
  ignoreRules,
  type LeftOut,
  type Level,
  type ReadRules,
  rulesIn,
} from '../core/config/layer/ignore-rules.ts'

/**
 * Builds the ignore rules of the folder `dir`; `include` contains patterns of files to push anyway,
 * in `.gitignore` syntax.
 */
export const leftOut = (dir: string, include: readonly string[]): LeftOut =>
  ignoreRules(reader(dir), { above: rulesAbove(dir), include })

const reader =
  (dir: string): ReadRules =>
  (path) => {
    const place = join(dir, path)
    return existsSync(place) ? readFileSync(place, 'utf8') : undefined
  }

/**
 * Returns the ignore rules of the surrounding repository, up to its root. A repository that ignores
 * the folder itself is skipped, because the caller named the folder.
 */
function rulesAbove(dir: string): Level[] {
  const start = resolve(dir)
  const levels: Level[] = []
  for (let at = start; ; at = dirname(at)) {
    if (at !== start) {
      const folder = `${relative(at, start).split(sep).join('/')}/`
      const relativeDir = relative(start, at)
      const dirLevels = rulesIn(reader(at), '').map((level) => ({
        ...level,
        folder,
        file: join(relativeDir, level.file),
      }))
      levels.push(...dirLevels.reverse().filter(({ rules }) => !rules.test(folder).ignored))
    }
    if (existsSync(join(at, '.git'))) return levels
    // Outside of a repository, no rules above the folder apply.
    if (dirname(at) === at) return []
  }
}
