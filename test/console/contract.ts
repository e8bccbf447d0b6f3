/** The requests of all scenarios, compared with openapi.yaml. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { apiRequests } from './console-page.ts'
import { check, type Scenarios } from './stage.ts'

const FILE = join(import.meta.dirname, '../../openapi.yaml')

interface Parameter {
  readonly name?: string
  readonly in?: string
  readonly $ref?: string
}
interface Operation {
  readonly description?: string
  readonly parameters?: readonly Parameter[]
}
interface Contract {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly parameters?: Readonly<Record<string, Parameter>> }
}

function operationsOf({ paths, components }: Contract) {
  const resolved = (one: Parameter): Parameter =>
    one.$ref ? (components.parameters?.[one.$ref.split('/').at(-1) ?? ''] ?? one) : one
  return Object.entries(paths).flatMap(([path, operations]) => {
    const source = path.replaceAll(/\{path\}/g, '.+').replaceAll(/\{\w+\}/g, '[^/]+')
    return Object.entries(operations).map(([method, { description = '', parameters = [] }]) => ({
      // Filters by metadata have no fixed name; the description defines them.
      hasMetadata: description.includes('`metadata.<key>=<value>`'),
      matches: new RegExp(`^${method.toUpperCase()} ${source}$`),
      query: new Set(
        parameters.map(resolved).flatMap((one) => (one.in === 'query' ? [one.name ?? ''] : [])),
      ),
    }))
  })
}

/** It runs last. */
export const CONTRACT: Scenarios = {
  async 'every request of every page is an operation of openapi.yaml'(stage) {
    const operations = operationsOf(parse(readFileSync(FILE, 'utf8')) as Contract)
    const used = new Set<unknown>()
    for (const request of apiRequests) {
      const [call = '', names = ''] = request.split('?')
      const found = operations.find(({ matches }) => matches.test(call))
      if (found) used.add(found)
      const isKnown = (name: string): boolean =>
        found?.query.has(name) || (name.startsWith('metadata.') && found?.hasMetadata === true)
      const unknown = names.split(',').filter((name) => name !== '' && !isKnown(name))
      check(stage, found !== undefined && unknown.length === 0, `not in openapi.yaml: ${request}`)
    }
    check(stage, used.size >= 12, `the pages used ${used.size} operations`)
  },
}
