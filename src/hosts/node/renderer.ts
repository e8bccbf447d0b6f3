/**
 * The renderer of `/docs` from a file: of the package that made it, or as builds put it (beside the
 * bundle of a function, among the assets of our own package).
 */

import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { RENDERER } from '../../http/docs/page.ts'
import type { Renderer } from '../../http/routes/docs.ts'

const PLACES = [
  `./${RENDERER}`,
  `../../assets/${RENDERER}`,
  `../../../dist/assets/${RENDERER}`,
  `../../../node_modules/rapidoc/dist/${RENDERER}`,
]

/** Undefined where none of the files is. */
export function fileRenderer(): Renderer | undefined {
  const files = PLACES.map((place) => fileURLToPath(new URL(place, import.meta.url)))
  const file = files.find(existsSync)
  return file === undefined ? undefined : () => readFile(file)
}
