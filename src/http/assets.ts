/**
 * Files that a build writes next to the program, which keeps them out of bundles: the texts of the
 * contract, RapiDoc, which renders `/docs`, and the console.
 */

/** The file of the package `rapidoc`; its version is that of package.json. */
export const RENDERER = 'rapidoc-min.js'

/** The texts that `docs/texts.ts` makes of the routes. */
export type TextName =
  | 'openapi.json'
  | 'llms.txt'
  | 'docs.html'
  | 'docs-plain.html'
  | 'docs-openapi.json'
  | 'docs-theme.js'

/** A compressed file of the console; each exists as Brotli and as gzip. */
export type ConsoleName = `console/${string}.${'br' | 'gz'}`

export type AssetName = TextName | typeof RENDERER | ConsoleName

export type AssetBody = string | Uint8Array<ArrayBuffer> | ReadableStream

/** Returns the content of a file as the host has it; undefined: this deployment lacks the file. */
export type Assets = (name: AssetName) => Promise<AssetBody | undefined>
