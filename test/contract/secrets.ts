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
  it('belong to their tenant, and are undefined for every other', async () => {
    const { secrets } = await make({ TOKEN: VALUE, OTHER: '' })
    expect(await secrets.get(TENANT, 'TOKEN')).toBe(VALUE)
    expect(await secrets.get(TENANT, 'OTHER')).toBe('')
    for (const tenant of ['other', 'Default', '', 'constructor', '__proto__']) {
      expect(await secrets.get(tenant, 'TOKEN')).toBeUndefined()
      expect(await secrets.names(tenant)).toEqual(new Set())
      expect(await secrets.bindings(tenant)).toEqual(new Map())
    }
  })

  it('are undefined for a name without a value, even one that every object inherits', async () => {
    const { secrets } = await make({ TOKEN: VALUE })
    for (const name of ['OTHER', 'token', '', 'toString', 'constructor', '__proto__'])
      expect(await secrets.get(TENANT, name)).toBeUndefined()
  })

  it('are read at the moment of use, after every change, addition, and removal', async () => {
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

  it('are listed by name only, and only when set', async () => {
    const { secrets } = await make({ TOKEN: VALUE })
    const names = await secrets.names(TENANT)
    expect([...names]).toEqual(['TOKEN'])
    for (const name of names) expect(await secrets.get(TENANT, name)).toBeDefined()
  })

  it('have a binding that lists where they may be sent, or none when they are unrestricted', async () => {
    const { secrets, bound = {} } = await make({ TOKEN: VALUE, OTHER: VALUE })
    const bindings = await secrets.bindings(TENANT)
    expect(bindings).toEqual(new Map(Object.entries(bound)))
    expect(JSON.stringify([...bindings])).not.toContain(VALUE)
  })
}

function sealingPromises(make: MakeSecrets): void {
  const texts = ['', 'x', 'grüße 🙂\n\0', 'long '.repeat(2_000)]

  it('opens for its context in every process of the deployment', async () => {
    const { secrets, again } = await make({})
    for (const text of texts) {
      const sealed = await secrets.seal(text, 'webhook/whe_1')
      expect(await secrets.open(sealed, 'webhook/whe_1')).toBe(text)
      expect(await again.open(sealed, 'webhook/whe_1')).toBe(text)
    }
  })

  it('returns undefined for any other context', async () => {
    const { secrets } = await make({})
    const sealed = await secrets.seal(VALUE, 'a/b')
    for (const context of ['a/c', 'a', 'a/b/', '', 'A/b'])
      expect(await secrets.open(sealed, context)).toBeUndefined()
    expect(await secrets.open(await secrets.seal(VALUE, ''), 'a')).toBeUndefined()
  })

  it('returns undefined for a value that another deployment sealed', async () => {
    const { secrets, foreign } = await make({})
    expect(await foreign.open(await foreign.seal(VALUE, 'c'), 'c')).toBe(VALUE)
    expect(await secrets.open(await foreign.seal(VALUE, 'c'), 'c')).toBeUndefined()
    expect(await foreign.open(await secrets.seal(VALUE, 'c'), 'c')).toBeUndefined()
  })

  it('returns undefined, never an error, when any character was changed, added, or cut', async () => {
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

  it('produces text that does not reveal the value', async () => {
    const { secrets } = await make({})
    expect(await secrets.seal(VALUE, 'c')).not.toContain(VALUE)
  })
}
