/** Pushes a folder's layers to its `strata dev` server, at startup and after each save. */

import { type FSWatcher, readdirSync, watch } from 'node:fs'
import { oneLine } from '../lib/invisible-characters.ts'
import { clientOf } from './api.ts'
import { push } from './push.ts'
import type { Terminal } from './terminal.ts'
import { TOOLS_FOLDER } from './tool-files.ts'

export interface Layers {
  close(): void
}

const TOPS = ['base', 'roles', 'repos']
/** Debounce interval in milliseconds, because editors save in several steps. */
const SETTLED_MS = 200

/**
 * Pushes the layers to the server that `terminal` names. A failed push is reported and retried at
 * the next save.
 */
export async function layersOf(terminal: Terminal): Promise<Layers> {
  const watchers = new Map<string, FSWatcher>()
  const notesBefore = new Map<string, Set<string>>()
  let pushing = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  const later = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      pushing = pushing.then(() => pushAll(terminal, notesBefore)).then(follow)
    }, SETTLED_MS)
  }
  const add = (name: string, recursive: boolean): void => {
    try {
      const watcher = watch(name, { recursive }, (_, file) => {
        if (recursive || [...TOPS, TOOLS_FOLDER].includes(String(file))) later()
      })
      watcher.on('error', () => {
        watcher.close()
        watchers.delete(name)
      })
      watchers.set(name, watcher)
    } catch (error) {
      terminal.err(`could not watch ${name}: ${(error as Error).message}`)
    }
  }
  const tools = toolsOf(terminal)
  const follow = (): void => {
    tools.follow()
    for (const top of TOPS) if (!watchers.has(top) && below('.').includes(top)) add(top, true)
  }
  const layerPrefixes = prefixes()
  await pushAll(terminal, notesBefore)
  terminal.out(
    `Layers:   ${layerPrefixes.length === 0 ? NONE : `${layerPrefixes.join(', ')}; ${FOLLOWED}`}`,
  )
  add('.', false)
  follow()
  return {
    close() {
      clearTimeout(timer)
      tools.close()
      for (const watcher of watchers.values()) watcher.close()
    },
  }
}

/** Watches the tool programs next to the layers; a save restarts their servers. */
function toolsOf({ env, out, err }: Terminal) {
  let watcher: FSWatcher | undefined
  let timer: NodeJS.Timeout | undefined
  const reload = async (name: string): Promise<void> => {
    try {
      await clientOf(env).layers.reload({})
      out(`tools: ${oneLine(name)} changed and was reloaded`)
    } catch (error) {
      err(`tools: ${oneLine(name)} changed but was not reloaded: ${(error as Error).message}`)
    }
  }
  return {
    follow() {
      if (watcher !== undefined || !below('.').includes(TOOLS_FOLDER)) return
      watcher = watch(TOOLS_FOLDER, { recursive: true }, (_, file) => {
        const name = String(file)
        if (/__pycache__|node_modules/.test(name)) return
        clearTimeout(timer)
        timer = setTimeout(() => void reload(name), SETTLED_MS)
      })
      watcher.on('error', () => {
        watcher?.close()
        watcher = undefined
      })
    },
    close() {
      clearTimeout(timer)
      watcher?.close()
    },
  }
}

const NONE =
  'none in this folder; run `npx strata init` to create one, which is loaded ' + 'immediately'
const FOLLOWED = 'uploaded when a file is saved (to delete files, use `strata push … --delete`)'

/** Pushes all layers; prints the notes of each prefix, such as excluded files, only once. */
async function pushAll(terminal: Terminal, notes: Map<string, Set<string>>): Promise<void> {
  for (const prefix of prefixes()) {
    const notesBefore = notes.get(prefix) ?? new Set()
    notes.set(prefix, notesBefore)
    try {
      // Invalid files are pushed too, so that runs and the terminal report the same errors.
      await push(terminal, { dir: prefix, prefix, force: true, notesBefore })
    } catch (error) {
      terminal.err(`could not push ${prefix}: ${(error as Error).message}`)
    }
  }
}

function prefixes(): string[] {
  const inside = (top: string) => below(top).map((name) => `${top}/${name}`)
  const base = below('.').includes('base') ? ['base'] : []
  return [...base, ...inside('roles'), ...inside('repos')]
}

/** Returns the sorted subfolders of a folder, or an empty list if the folder does not exist. */
function below(dir: string): string[] {
  try {
    const entries = readdirSync(dir, { withFileTypes: true })
    return entries
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      .sort()
  } catch {
    return []
  }
}
