/** All that the pages asked of the API while every check ran, against openapi.yaml. */

import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { allRequests } from './browser.ts'
import { type Check, holds, signedIn, unharmed } from './checks.ts'
import { PAGES } from './looks.ts'

interface Parameter {
  readonly name?: string
  readonly in?: string
  readonly $ref?: string
}
interface Operation {
  readonly parameters?: readonly Parameter[]
}
interface Contract {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components?: { readonly parameters?: Readonly<Record<string, Parameter>> }
}

/** Keys of metadata have any name: `metadata.<key>`. */
const OPEN = /^metadata\./

function known({ paths, components }: Contract) {
  const named = (one: Parameter): Parameter =>
    one.$ref ? (components?.parameters?.[one.$ref.split('/').at(-1) ?? ''] ?? one) : one
  return Object.entries(paths).flatMap(([path, operations]) => {
    const source = path
      .replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&')
      .replaceAll(/\{path\}/g, '.+')
      .replaceAll(/\{\w+\}/g, '[^/]+')
    return Object.entries(operations).map(([method, { parameters = [] }]) => ({
      matches: new RegExp(`^${method.toUpperCase()} ${source}$`),
      query: new Set(
        parameters.map(named).flatMap((one) => (one.in === 'query' ? [one.name ?? ''] : [])),
      ),
    }))
  })
}

export const REQUESTS: Record<string, Check> = {
  'every request of every check is one that openapi.yaml describes': async (given) => {
    const watched = await signedIn(given)
    for (const path of PAGES) {
      await watched.page.goto(`${given.host.url}/console/${path}`)
      await watched.page.locator('h1').first().waitFor()
      await watched.page.waitForLoadState('networkidle').catch(() => {})
    }
    const operations = known(parse(readFileSync('openapi.yaml', 'utf8')) as Contract)
    const used = new Set<unknown>()
    const foreign = [...allRequests].filter((one) => {
      const [request = '', names = ''] = one.split('?')
      const found = operations.find(({ matches }) => matches.test(request))
      if (found) used.add(found)
      const unknown = names.split(',').filter((name) => name !== '' && !OPEN.test(name))
      return !found || unknown.some((name) => !found.query.has(name))
    })
    console.log(`        ${allRequests.size} different requests, ${used.size} operations`)
    holds(used.size > 15, `${used.size} operations`)
    holds(foreign.length === 0, `not in openapi.yaml: ${foreign.join('; ')}`)
    unharmed(watched)
  },
}
