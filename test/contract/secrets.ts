/**
 * What every source of secrets promises, as tests; the words are those of `Secrets` in
 * src/ports/world.ts. That nothing is logged cannot be seen from here: the port is given no log.
 */

import { describe, expect, it } from 'vitest'
import type { Secrets } from '../../src/ports/world.ts'

/** The values of the tenant `default`; a test changes them while the secrets are in use. */
export type Held = Record<string, string>
interface SecretsUnderTest {
  readonly secrets: Secrets
  /** The same deployment after a restart, or another process of it. */
  readonly again: Secrets
  /** Another deployment of the same kind. */
  readonly foreign: Secrets
  /** What the operator has bound, by name. */
  readonly bound?: Readonly<Record<string, readonly string[]>>
}
/** Holds `TOKEN` and `OTHER` once they have a value. */
export type MakeSecrets = (held: Held) => SecretsUnderTest | Promise<SecretsUnderTest>

const TENANT = 'default'
const VALUE = 'canary-4711-value'

export function secretsContract(name: string, make: MakeSecrets): void {
  describe(`secrets: ${name}`, () => {
    describe('values', () => valuePromises(make))
    describe('sealing', () => sealingPromises(make))
  })
}

function valuePromises(make: MakeSecrets): void {
  it('are those of their tenant, and undefined for every other', async () => {
    const { secrets } = await make({ TOKEN: VALUE, OTHER: '' })
    expect(await secrets.get(TENANT, 'TOKEN')).toBe(VALUE)
    expect(await secrets.get(TENANT, 'OTHER')).toBe('')
    for (const tenant of ['other', 'Default', '', 'constructor', '__proto__']) {
      expect(await secrets.get(tenant, 'TOKEN')).toBeUndefined()
      expect(await secrets.names(tenant)).toEqual(new Set())
      expect(await secrets.bindings(tenant)).toEqual(new Map())
    }
  })

  it('a name that nobody gave a value is undefined, also one that every object has', async () => {
    const { secrets } = await make({ TOKEN: VALUE })
    for (const name of ['OTHER', 'token', '', 'toString', 'constructor', '__proto__'])
      expect(await secrets.get(TENANT, name)).toBeUndefined()
  })

  it('are read at the moment of use: changed, given and taken away', async () => {
    const held: Held = { TOKEN: 'one' }
    const { secrets } = await make(held)
    expect(await secrets.get(TENANT, 'TOKEN')).toBe('one')
    held.TOKEN = 'two'
    held.OTHER = 'new'
    expect(await secrets.get(TENANT, 'TOKEN')).toBe('two')
    expect(await secrets.get(TENANT, 'OTHER')).toBe('new')
    expect(await secrets.names(TENANT)).toEqual(new Set(['TOKEN', 'OTHER']))
    delete held.TOKEN
    expect(await secrets.get(TENANT, 'TOKEN')).toBeUndefined()
    expect(await secrets.names(TENANT)).toEqual(new Set(['OTHER']))
  })

  it('names are names only, of just those that have a value', async () => {
    const { secrets } = await make({ TOKEN: VALUE })
    const names = await secrets.names(TENANT)
    expect([...names]).toEqual(['TOKEN'])
    for (const name of names) expect(await secrets.get(TENANT, name)).toBeDefined()
  })

  it('bindings say where a bound one may go, and nothing of those that may go anywhere', async () => {
    const { secrets, bound = {} } = await make({ TOKEN: VALUE, OTHER: VALUE })
    const bindings = await secrets.bindings(TENANT)
    expect(bindings).toEqual(new Map(Object.entries(bound)))
    expect(JSON.stringify([...bindings])).not.toContain(VALUE)
  })
}

function sealingPromises(make: MakeSecrets): void {
  const texts = ['', 'x', 'grüße 🙂\n\0', 'long '.repeat(2_000)]

  it('what was sealed opens for its context, in every process of the deployment', async () => {
    const { secrets, again } = await make({})
    for (const text of texts) {
      const sealed = await secrets.seal(text, 'webhook/whe_1')
      expect(await secrets.open(sealed, 'webhook/whe_1')).toBe(text)
      expect(await again.open(sealed, 'webhook/whe_1')).toBe(text)
    }
  })

  it('is undefined for any other context', async () => {
    const { secrets } = await make({})
    const sealed = await secrets.seal(VALUE, 'a/b')
    for (const context of ['a/c', 'a', 'a/b/', '', 'A/b'])
      expect(await secrets.open(sealed, context)).toBeUndefined()
    expect(await secrets.open(await secrets.seal(VALUE, ''), 'a')).toBeUndefined()
  })

  it('is undefined when another deployment sealed it', async () => {
    const { secrets, foreign } = await make({})
    expect(await foreign.open(await foreign.seal(VALUE, 'c'), 'c')).toBe(VALUE)
    expect(await secrets.open(await foreign.seal(VALUE, 'c'), 'c')).toBeUndefined()
    expect(await foreign.open(await secrets.seal(VALUE, 'c'), 'c')).toBeUndefined()
  })

  it('is undefined, never an error, when any character was changed, added or cut', async () => {
    const { secrets } = await make({})
    const sealed = await secrets.seal(VALUE, 'c')
    for (let i = 0; i < sealed.length; i += 1) {
      const other = sealed[i] === 'A' ? 'B' : 'A'
      const changed = sealed.slice(0, i) + other + sealed.slice(i + 1)
      expect(await secrets.open(changed, 'c'), `character ${i}`).toBeUndefined()
      expect(await secrets.open(sealed.slice(0, i), 'c'), `cut at ${i}`).toBeUndefined()
    }
    for (const odd of [`${sealed}A`, `${sealed}=`, `${sealed}\n`, ` ${sealed}`, VALUE, '.', 'v1.'])
      expect(await secrets.open(odd, 'c'), JSON.stringify(odd)).toBeUndefined()
  })

  it('is text that does not show what it holds', async () => {
    const { secrets } = await make({})
    expect(await secrets.seal(VALUE, 'c')).not.toContain(VALUE)
  })
}
