/**
 * Plants a bug: sources are changed as they are loaded, in this process only. A patch whose text is
 * no longer there fails loudly, so the list of bugs follows the code.
 */

import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import { BUGS, type Patch } from '../bugs/index.ts'

const ROOT = new URL('../../../', import.meta.url)

export function plant(name: string): void {
  const bug = BUGS.find((one) => one.name === name)
  if (!bug) throw new Error(`there is no planted bug ${JSON.stringify(name)}`)
  check(bug.patches)
  const byUrl = Map.groupBy(bug.patches, ({ file }) => new URL(file, ROOT).href)
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context)
      const patches = byUrl.get(url)
      if (!patches) return loaded
      return { ...loaded, source: patched(String(loaded.source), patches) }
    },
  })
}

/** Whether every patch still finds its text; throws with the one that does not. */
export function check(patches: readonly Patch[]): void {
  for (const patch of patches) {
    const source = readFileSync(fileURLToPath(new URL(patch.file, ROOT)), 'utf8')
    patched(source, [patch])
  }
}

function patched(source: string, patches: readonly Patch[]): string {
  return patches.reduce((text, { file, find, put }) => {
    const at = text.indexOf(find)
    if (at < 0)
      throw new Error(`a planted bug looks for a text that ${file} no longer has: ${find}`)
    return text.slice(0, at) + put + text.slice(at + find.length)
  }, source)
}
