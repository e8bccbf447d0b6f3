/** Locates the static files of dist/assets, in the package or next to a function's bundle. */

import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { AssetName, Assets } from '../../http/assets.ts'
import { hasCode } from './folders.ts'

/** Asset folders relative to this module, in a bundle and in dist. */
const FOLDERS = ['./assets/', '../../assets/']

type Files = (name: AssetName) => Promise<Uint8Array<ArrayBuffer> | undefined>

/** Returns the built static files; undefined without an assets folder, as in a checkout. */
export function builtAssets(): Assets | undefined {
  const folder = FOLDERS.map((path) => new URL(path, import.meta.url)).find(existsSync)
  return folder && readOnce(assetsIn(folder))
}

/**
 * Keeps files in memory, a few megabytes at most, so that all responses share the bytes. A client
 * that requests files without reading the responses would otherwise occupy memory for each of them.
 */
function readOnce(assets: Files): Files {
  const files = new Map<AssetName, Uint8Array<ArrayBuffer>>()
  return async (name) => {
    const body = files.get(name) ?? (await assets(name))
    if (body !== undefined) files.set(name, body)
    return body
  }
}

export function assetsIn(folder: URL): Files {
  return async (name) => {
    try {
      return await readFile(new URL(name, folder))
    } catch (error) {
      if (hasCode(error, ['ENOENT'])) return undefined
      throw error
    }
  }
}
