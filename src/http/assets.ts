/**
 * Files that a build writes next to the program and outside of bundles: the texts of the API
 * contract, RapiDoc (renders `/docs`), and the console.
 */

/** Script file of the package `rapidoc`, whose version is set in package.json. */
export const RENDERER = 'rapidoc-min.js'

/** Names of the documentation texts that `docs/texts.ts` generates from the routes. */
export type TextName =
  | 'openapi.json'
  | 'llms.txt'
  | 'docs.html'
  | 'docs-plain.html'
  | 'docs-openapi.json'
  | 'docs-theme.js'

/** Name of a compressed console file; each file exists as Brotli and as gzip. */
export type ConsoleName = `console/${string}.${'br' | 'gz'}`

export type AssetName = TextName | typeof RENDERER | ConsoleName

export type AssetBody = string | Uint8Array<ArrayBuffer> | ReadableStream

/** Returns the content of an asset file; undefined if this deployment lacks the file. */
export type Assets = (name: AssetName) => Promise<AssetBody | undefined>
