/** Tokens of MCP servers over several processes: all that they share is the store and a key. */

import { describe, expect, it } from 'vitest'
import type { ServerEntry } from '../../../../src/core/config/types.ts'
import { grantPartition } from '../../../../src/hosts/mcp/oauth-grants.ts'
import { memoryStore } from '../../../../src/hosts/memory/store.ts'
import { systemClock } from '../../../../src/hosts/shared/clock.ts'
import { environmentSecrets } from '../../../../src/hosts/shared/secrets.ts'
import type { AuthorizationChange, Clock, Store } from '../../../../src/ports/world.ts'
import { serverEntry } from '../../../support/everything.ts'
import { mcp } from '../../../support/mcp-port.ts'
import {
  type OAuthServer,
  startGuardedMcp,
  startOAuthServer,
} from '../../../support/oauth-server.ts'
import { startTimer, until } from '../../../support/patience.ts'

const REDIRECT = 'https://strata.example/v1/oauth/callback'

function deployment() {
  const store = memoryStore()
  const changes: AuthorizationChange[] = []
  let ahead = 0
  const clock: Clock = { ...systemClock, now: () => systemClock.now() + ahead }
  const process = (on: Store = store, key = 7) => {
    const secrets = environmentSecrets({
      env: {},
      tenant: 'default',
      key: new Uint8Array(32).fill(key),
    })
    const onChange = async (_: string, change: AuthorizationChange) => void changes.push(change)
    const port = mcp({ secrets, oauth: { store: on, clock, check: () => undefined, onChange } })
    return { ...port, oauth: port.authorization! }
  }
  const pass = (ms: number) => {
    ahead += ms
  }
  return { process, store, changes, pass }
}
type Process = ReturnType<ReturnType<typeof deployment>['process']>

async function guarded(): Promise<{ readonly oauth: OAuthServer; readonly entry: ServerEntry }> {
  const oauth = await startOAuthServer()
  const { url } = await startGuardedMcp(oauth)
  return { oauth, entry: serverEntry({ name: 'x', transport: 'http', url }) }
}

/** The answer that a browser brings back. */
async function answerOf({ oauth }: Process, entry: ServerEntry) {
  const begun = await oauth.begin('default', entry, { redirect: REDIRECT, by: 'key_1' })
  if (!begun.ok) throw new Error(begun.error)
  const consented = await fetch(begun.value.url, { redirect: 'manual' })
  const query = new URL(consented.headers.get('location') ?? '').searchParams
  const [state = '', code, iss] = ['state', 'code', 'iss'].map((name) => query.get(name) ?? '')
  return { state, code, iss }
}
const list = (port: Process, entry: ServerEntry, tenant = 'default') => port.list(tenant, entry)

describe('OAuth across several processes', () => {
  it('a link created in one process is answered in another, and a third one has the token', async () => {
    const { process, changes } = deployment()
    const { entry } = await guarded()
    const answer = await answerOf(process(), entry)
    expect(await process().oauth.finish(answer)).toEqual({ ok: true, value: { server: 'x' } })
    expect(await list(process(), entry)).toMatchObject({ ok: true })
    expect(changes).toEqual([{ server: 'x', by: 'key_1', action: 'authorize' }])
  })

  it('tokens belong to one tenant and one configuration', async () => {
    const { process } = deployment()
    const { entry } = await guarded()
    await process().oauth.finish(await answerOf(process(), entry))
    const no = { ok: false, error: expect.stringContaining('requires authorization') }
    expect(await list(process(), entry, 'other')).toEqual(no)
    const other = { ...entry, url: `${entry.url}?x` }
    expect(await list(process(), other)).toEqual(no)
    expect(await list(process(), { ...entry, name: 'renamed' })).toMatchObject({ ok: true })
  })

  it('one of ten callers that need a new token requests it: a refresh token is used once', async () => {
    const { process, pass } = deployment()
    const { oauth, entry } = await guarded()
    await process().oauth.finish(await answerOf(process(), entry))
    for (let round = 1; round <= 2; round += 1) {
      pass(3_600_000)
      oauth.expireAll()
      const ports = Array.from({ length: 10 }, () => process())
      const lists = await Promise.all(ports.map((port) => list(port, entry)))
      for (const one of lists) expect(one).toMatchObject({ ok: true })
      expect(oauth.tokenRequests()).toHaveLength(1 + round)
    }
    expect([...oauth.refreshes.values()].filter((state) => state === 'live')).toHaveLength(1)
  })

  it('a process that dies during a refresh is waited for, and then another one refreshes', async () => {
    const { process, store, pass } = deployment()
    const { oauth, entry } = await guarded()
    await process().oauth.finish(await answerOf(process(), entry))
    oauth.expireAll()
    const partition = grantPartition('default', entry)
    const [row] = await store.heads([partition])
    const head = JSON.parse(row!.body)
    const body = JSON.stringify({ ...head, renewing: systemClock.now() + 2_000 })
    expect(await store.commit(partition, [], { expect: row!.version, body })).toBe('ok')
    const isLate = startTimer(1_500)
    expect(await list(process(), entry)).toMatchObject({ ok: true })
    expect(isLate()).toBe(true)
    pass(0)
  })

  it('a token forgotten during its refresh stays forgotten, and an open link stays open', async () => {
    const { process } = deployment()
    const { oauth, entry } = await guarded()
    await process().oauth.finish(await answerOf(process(), entry))
    const during = async (act: () => Promise<unknown>) => {
      oauth.expireAll()
      let go = () => {}
      oauth.behaviour.pause = new Promise((resolve) => {
        go = () => resolve()
      })
      const before = oauth.tokenRequests().length
      const listed = list(process(), entry)
      await until('a token request', () => oauth.tokenRequests().length > before)
      const done = await act()
      go()
      await listed
      oauth.behaviour.pause = undefined
      return done
    }
    const answer = await during(() => answerOf(process(), entry))
    expect(await process().oauth.finish(answer as never)).toMatchObject({ ok: true })
    await during(() => process().oauth.forget('default', entry, 'key_1'))
    expect(await process().oauth.states('default', [entry])).toEqual([undefined])
  })

  it('a link expires, and one sealed with another key is invalid', async () => {
    const { process, pass } = deployment()
    const { oauth, entry } = await guarded()
    const answer = await answerOf(process(), entry)
    expect(await process(undefined, 8).oauth.finish(answer)).toMatchObject({ ok: false })
    pass(600_001)
    expect(await process().oauth.finish(answer)).toMatchObject({ ok: false })
    expect(oauth.tokenRequests()).toEqual([])
  })

  it('the store contains no plaintext token, verifier, or code', async () => {
    const { process, store } = deployment()
    const { oauth, entry } = await guarded()
    const answer = await answerOf(process(), entry)
    const partition = grantPartition('default', entry)
    const read = async () => JSON.stringify(await store.heads([partition]))
    const before = await read()
    await process().oauth.finish(answer)
    const texts = before + (await read())
    const verifier = oauth.tokenRequests()[0]?.get('code_verifier') ?? ''
    const secrets = [verifier, answer.code, ...oauth.access.keys(), ...oauth.refreshes.keys()]
    for (const secret of secrets) {
      expect(secret?.length).toBeGreaterThan(20)
      expect(texts).not.toContain(secret)
    }
  })

  it('an unavailable store makes the list fail with a sentence, and nothing hangs', async () => {
    const { process, store } = deployment()
    const { entry } = await guarded()
    const down: Store = { ...store, heads: () => Promise.reject(new Error('down')) }
    expect(await list(process(down), entry)).toMatchObject({ ok: false })
  })
})
