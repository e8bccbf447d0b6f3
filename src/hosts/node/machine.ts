/**
 * Facts about this machine that skills and local servers may require: its operating system, and the
 * programs on the path. Read on demand, and remembered for a moment only, since people install
 * missing programs.
 */

import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join, resolve } from 'node:path'
import { LRUCache } from 'lru-cache'
import type { Machine } from '../../core/config/skill/gating.ts'

const RECENT_MS = 5_000
const NAMES = 1_000

export function machineOf(
  env: Readonly<Record<string, string | undefined>>,
  config: ReadonlyMap<string, string>,
): Machine {
  const known = new LRUCache<string, boolean>({ max: NAMES, ttl: RECENT_MS })
  const folders = (env.PATH ?? env.Path ?? '').split(delimiter).filter((one) => one !== '')
  const endings = process.platform === 'win32' ? (env.PATHEXT ?? '.EXE;.CMD').split(';') : ['']
  const has = (name: string, cwd: string | null = null): boolean => {
    const slot = `${cwd ?? ''}\n${name}`
    const before = known.get(slot)
    if (before !== undefined) return before
    const isPath = isAbsolute(name) || /[\\/]/.test(name)
    const places = isPath ? [resolve(cwd ?? '.', name)] : folders.map((one) => join(one, name))
    const found = places.some((place) => endings.some((ending) => isProgram(place + ending)))
    known.set(slot, found)
    return found
  }
  return { os: process.platform, has, config }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
