/** Secrets on Node: which values leave the environment, and what sealing promises. */

import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { masterKey } from '../../../../src/hosts/node/secrets.ts'
import { environmentSecrets, secretWarnings } from '../../../../src/hosts/shared/secrets.ts'

const key = new Uint8Array(32).fill(7)
const make = (env: Record<string, string | undefined> = {}, other = key) =>
  environmentSecrets({ env, tenant: 'default', key: other })

describe('secret values', () => {
  it('come only from names that STRATA_SECRETS lists, and only for their tenant', async () => {
    const secrets = make({
      STRATA_SECRETS: 'GITHUB_TOKEN, FIGMA_TOKEN\n UNSET toString,,',
      GITHUB_TOKEN: 'g',
      FIGMA_TOKEN: 'f',
      OPENAI_API_KEY: 'never',
    })
    expect(await secrets.get('default', 'GITHUB_TOKEN')).toBe('g')
    expect(await secrets.get('default', 'FIGMA_TOKEN')).toBe('f')
    for (const name of ['OPENAI_API_KEY', 'STRATA_SECRETS', 'UNSET', 'toString', ''])
      expect(await secrets.get('default', name)).toBeUndefined()
    expect(await secrets.get('other', 'GITHUB_TOKEN')).toBeUndefined()
    expect(await secrets.names('default')).toEqual(new Set(['GITHUB_TOKEN', 'FIGMA_TOKEN']))
    expect(await secrets.names('other')).toEqual(new Set())
  })

  it('do not exist without STRATA_SECRETS', async () => {
    const secrets = make({ GITHUB_TOKEN: 'g' })
    expect(await secrets.get('default', 'GITHUB_TOKEN')).toBeUndefined()
    expect(await secrets.names('default')).toEqual(new Set())
  })
})

describe('secret destinations', () => {
  it('follow the name: a host, its subdomains, local programs, or several of these [T15]', async () => {
    const secrets = make({
      STRATA_SECRETS:
        'A@API.Example.com. B@*.example.com,C@stdio D@a.example D@b.example F G@bücher.example',
    })
    expect(Object.fromEntries(await secrets.bindings('default'))).toEqual({
      A: ['api.example.com'],
      B: ['*.example.com'],
      C: ['stdio'],
      D: ['a.example', 'b.example'],
      G: ['xn--bcher-kva.example'],
    })
    expect((await secrets.bindings('other')).size).toBe(0)
  })

  it.each(['A@', 'A@*', 'A@*.', 'A@a/b', 'A@a:443', 'A@user@a', 'A@a#b', 'A@a*b'])(
    'an invalid destination stops the start: %s',
    (entry) => {
      expect(() => make({ STRATA_SECRETS: entry })).toThrow(/STRATA_SECRETS.*NAME@host/)
    },
  )

  it('a secret without a destination causes a warning, and so does one too short to redact', () => {
    const env = { STRATA_SECRETS: 'A B@x.example C@x.example', A: 'a-long-value', C: 'short' }
    const said = secretWarnings(env)
    expect(said).toEqual([
      expect.stringContaining('A has no host'),
      expect.stringContaining('C has fewer'),
    ])
    expect(said.join()).not.toMatch(/a-long-value|short:/)
  })
})

describe('sealing', () => {
  it('the previous key still opens during a key rotation, but seals nothing new [C05]', async () => {
    const old = new Uint8Array(32).fill(8)
    const sealed = await make({}, old).seal('a place', 'cursor runs')
    const env = { STRATA_MASTER_KEY_PREVIOUS: '08'.repeat(32) }
    const during = make(env)
    expect(await during.open(sealed, 'cursor runs')).toBe('a place')
    expect(await during.open(sealed, 'cursor other')).toBeUndefined()
    expect(await make().open(sealed, 'cursor runs')).toBeUndefined()
    const fresh = await during.seal('new', 'cursor runs')
    expect(await make().open(fresh, 'cursor runs')).toBe('new')
    expect(() => make({ STRATA_MASTER_KEY_PREVIOUS: 'short' })).toThrow('64 hex digits')
  })

  it('opens only the exact form that was sealed: no character may differ [C01]', async () => {
    for (const text of ['', 'a', 'ab', 'abc']) {
      const sealed = await make().seal(text, 'cursor runs')
      for (const at of [3, sealed.length >> 1, sealed.length - 1]) {
        for (const other of 'ABCDwxyz01-_+/=. ') {
          if (other === sealed[at]) continue
          const bent = sealed.slice(0, at) + other + sealed.slice(at + 1)
          expect(await make().open(bent, 'cursor runs'), `${sealed} ${bent}`).toBeUndefined()
        }
      }
      for (const more of ['=', '\n', 'A', '==']) {
        expect(await make().open(sealed + more, 'cursor runs')).toBeUndefined()
      }
    }
  })
  it('a sealed value opens only for its context and under its key', async () => {
    const secrets = make()
    const sealed = await secrets.seal('grüße 🙂', 'webhook/whe_1')
    expect(await secrets.open(sealed, 'webhook/whe_1')).toBe('grüße 🙂')
    expect(await secrets.open(sealed, 'webhook/whe_2')).toBeUndefined()
    const other = make({}, new Uint8Array(32).fill(8))
    expect(await other.open(sealed, 'webhook/whe_1')).toBeUndefined()
    expect(await secrets.open(await secrets.seal('', 'c'), 'c')).toBe('')
  })

  it('the same text seals differently each time and never appears in the output', async () => {
    const secrets = make()
    const [first, second] = [await secrets.seal('hunter2', 'c'), await secrets.seal('hunter2', 'c')]
    expect(first).not.toBe(second)
    expect(Buffer.from(first.slice(3), 'base64url').includes('hunter2')).toBe(false)
  })

  it('a changed byte, a truncation, and a foreign text return undefined and never throw', async () => {
    const secrets = make()
    const sealed = await secrets.seal('hunter2', 'c')
    const bytes = Buffer.from(sealed.slice(3), 'base64url')
    for (let i = 0; i < bytes.length; i += 1) {
      const changed = Buffer.from(bytes)
      changed[i]! ^= 1
      expect(await secrets.open(`v1.${changed.toString('base64url')}`, 'c')).toBeUndefined()
    }
    for (const odd of ['', 'v1.', 'v2.abc', sealed.slice(0, -4), 'v1.AAAA', 'hunter2'])
      expect(await secrets.open(odd, 'c')).toBeUndefined()
  })
})

describe('the master key file', () => {
  const folder = (): string => {
    const path = mkdtempSync(join(tmpdir(), 'strata-key-'))
    onTestFinished(() => rmSync(path, { recursive: true }))
    return path
  }

  it('is created once, readable only by its owner, and reused', async () => {
    const path = join(folder(), 'master.key')
    const made = await masterKey(path)
    expect(made.byteLength).toBe(32)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(await masterKey(path)).toEqual(made)
    expect(readdirSync(join(path, '..'))).toEqual(['master.key'])
  })

  it('is refused by name and left unchanged when it contains something else', async () => {
    const path = join(folder(), 'master.key')
    writeFileSync(path, 'short')
    await expect(masterKey(path)).rejects.toThrow(`${path} is not a master key`)
    expect(readFileSync(path, 'utf8')).toBe('short')
  })
})
