/**
 * Replaces js-yaml in the Worker's bundle. gray-matter loads it as the default engine, which the
 * server never selects: front matter is parsed by `core/config/yaml`.
 */

function unused(): never {
  throw new Error('js-yaml is not part of the Worker')
}

export const safeLoad = unused
export const safeDump = unused
