/**
 * The files of the console from the folder where they were built: of the repository, of the
 * package, or beside the bundle of a function. They are few and small, and stay in memory,
 * compressed, once asked for.
 */

import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { ConsoleFile, ConsoleFiles } from '../../http/routes/console.ts'

const gzipped = promisify(gzip)

const PLACES = ['./console', '../../assets/console', '../../../dist/assets/console']

/** Undefined where nobody has built them. */
export function folderConsole(): ConsoleFiles | undefined {
  const places = PLACES.map((place) => fileURLToPath(new URL(place, import.meta.url)))
  const folder = places.find((place) => existsSync(join(place, 'index.html')))
  if (folder === undefined) return undefined
  // Only what lies there has a name: no path of a request reaches the disk.
  const names = new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [relative(folder, path).split(sep).join('/'), path] as const),
  )
  const kept = new Map<string, ConsoleFile>()
  return {
    async read(name, takesGzip) {
      const path = names.get(name)
      if (path === undefined) return undefined
      const key = `${takesGzip} ${name}`
      const known = kept.get(key)
      if (known) return known
      const body = await readFile(path)
      const file = takesGzip ? { body: await gzipped(body), encoding: 'gzip' as const } : { body }
      kept.set(key, file)
      return file
    },
  }
}
