/**
 * Provides facts about this machine that skills and local servers may require: the operating system
 * and the programs on the path. Facts are read on demand and cached briefly, because users may
 * install missing programs.
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
  const cache = new LRUCache<string, boolean>({ max: NAMES, ttl: RECENT_MS })
  const folders = (env.PATH ?? env.Path ?? '').split(delimiter).filter((folder) => folder !== '')
  const endings = process.platform === 'win32' ? (env.PATHEXT ?? '.EXE;.CMD').split(';') : ['']
  const has = (name: string, cwd: string | null = null): boolean => {
    const slot = `${cwd ?? ''}\n${name}`
    const cached = cache.get(slot)
    if (cached !== undefined) return cached
    const isPath = isAbsolute(name) || /[\\/]/.test(name)
    const places = isPath
      ? [resolve(cwd ?? '.', name)]
      : folders.map((folder) => join(folder, name))
    const hasProgram = places.some((place) => endings.some((ending) => isProgram(place + ending)))
    cache.set(slot, hasProgram)
    return hasProgram
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
