/** The page of webhooks: its address, the query of its list, and the replay of a range. */

import { describe, expect, it } from 'vitest'
import {
  draftOf,
  type Endpoint,
  healthOf,
  inputOf,
  patchOf,
} from '../../../src/console/webhooks/endpoint-state.ts'
import {
  type Hook,
  draftOf as hookDraftOf,
  inputOf as hookInputOf,
  patchOf as hookPatchOf,
  messageOf,
} from '../../../src/console/webhooks/hook-state.ts'
import { replayParts } from '../../../src/console/webhooks/replay-range.ts'
import {
  filtersOf,
  queryOf,
  replayRangeOf,
  webhookSearch,
  withFilters,
} from '../../../src/console/webhooks/search.ts'

const NOW = Date.UTC(2026, 10, 30, 12)

describe('the address of the deliveries', () => {
  it('keeps filters and a selected delivery, and drops anything else', () => {
    const search = {
      status: 'failed',
      sel: 'dlv_a',
      tab: 'other',
      since: 'year',
      run_id: ' ',
      q: 7,
    }
    expect(webhookSearch(search)).toEqual({ status: 'failed', sel: 'dlv_a' })
    expect(webhookSearch({ sel: '<b>' })).toEqual({})
    const endpoints = { tab: 'endpoints', sel: 'whe_a' }
    expect(webhookSearch({ ...endpoints, status: 'failed' })).toEqual(endpoints)
  })

  it('has either a range or exact times', () => {
    const exact = { 'created[gte]': '2026-11-29T00:00:00.000Z' }
    expect(withFilters(exact, { since: 'day' })).toEqual({ since: 'day' })
    expect(withFilters({ since: 'day', status: 'failed' }, exact)).toEqual({
      ...exact,
      status: 'failed',
    })
    expect(withFilters({ since: 'day' }, { status: 'failed' })).toEqual({
      since: 'day',
      status: 'failed',
    })
    expect(withFilters({ since: 'day', status: 'failed' }, { since: '' })).toEqual({
      status: 'failed',
    })
  })
})

describe('the query of the deliveries', () => {
  it('computes the start of a range', () => {
    expect(queryOf(filtersOf({ since: 'hour', status: 'failed' }), NOW)).toEqual({
      status: 'failed',
      'created[gte]': '2026-11-30T11:00:00.000Z',
    })
  })

  it('becomes a replay of the same deliveries that ends now', () => {
    const query = { status: 'failed,disabled', event_type: 'run.failed', run_id: 'run_a' }
    const times = { 'created[gte]': '2026-11-30T11:00:00.000Z' }
    expect(replayRangeOf({ ...query, ...times }, NOW)).toEqual({
      status: ['failed', 'disabled'],
      event_type: ['run.failed'],
      run_id: 'run_a',
      from: '2026-11-30T11:00:00.000Z',
      to: '2026-11-30T12:00:00.000Z',
    })
    const past = '2026-11-30T11:30:00.000Z'
    expect(replayRangeOf({ 'created[lt]': past }, NOW)).toEqual({ to: past })
    const future = '2026-12-01T00:00:00.000Z'
    expect(replayRangeOf({ 'created[lt]': future }, NOW).to).toBe('2026-11-30T12:00:00.000Z')
  })
})

describe('the replay of a range', () => {
  const parts = [
    { replayed: ['a', 'b'], in_progress: ['c'], next_cursor: 'next' },
    { replayed: ['d'], in_progress: [], next_cursor: null },
  ]
  const sender = () => {
    const ranges: object[] = []
    const send = async (range: object) => {
      ranges.push(range)
      const part = parts[ranges.length - 1]!
      return { ...part, dry_run: false, has_more: part.next_cursor !== null }
    }
    return { ranges, send }
  }

  it('continues with the same range until its end', async () => {
    const { ranges, send } = sender()
    const range = { to: '2026-11-30T12:00:00.000Z' }
    const sum = await replayParts(send, range, { isDryRun: true })
    expect(sum).toEqual({ count: 3, skipped: 1, hasMore: false })
    expect(ranges).toEqual([
      { ...range, dry_run: true },
      { ...range, dry_run: true, cursor: 'next' },
    ])
  })

  it('stops at the bound or on demand, and says that more remains', async () => {
    const bounded = await replayParts(sender().send, {}, { isDryRun: true, maxParts: 1 })
    expect(bounded).toEqual({ count: 2, skipped: 1, hasMore: true })
    let isStopped = false
    const stopped = await replayParts(
      sender().send,
      {},
      {
        isDryRun: false,
        onSum: () => {
          isStopped = true
        },
        isStopped: () => isStopped,
      },
    )
    expect(stopped).toEqual({ count: 2, skipped: 1, hasMore: true })
  })
})

describe('an endpoint', () => {
  const endpoint: Endpoint = {
    ...{ id: 'whe_a', object: 'webhook_endpoint', url: 'https://a.example', format: 'standard' },
    ...{ events: ['run.failed', 'run.completed'], description: 'Desk', enabled: true },
    ...{ disabled_reason: null, failing_since: null, open_until: null, created_at: '' },
  }
  const past = new Date(NOW - 1_000).toISOString()
  const future = new Date(NOW + 1_000).toISOString()

  it('has the health that most restricts what it receives', () => {
    const of = (changes: Partial<Endpoint>) => healthOf({ ...endpoint, ...changes }, NOW)
    expect(of({})).toBe('enabled')
    expect(of({ failing_since: past })).toBe('failing')
    expect(of({ failing_since: past, open_until: future })).toBe('paused')
    expect(of({ failing_since: past, open_until: past })).toBe('failing')
    expect(of({ enabled: false, open_until: future })).toBe('disabled')
  })

  it('is changed by the edited members only', () => {
    const draft = draftOf(endpoint)
    expect(patchOf(endpoint, draft)).toEqual({})
    expect(patchOf(endpoint, { ...draft, events: draft.events.toReversed() })).toEqual({})
    expect(patchOf(endpoint, { ...draft, description: ' ' })).toEqual({ description: null })
    expect(patchOf(endpoint, { ...draft, url: 'https://b.example ' })).toEqual({
      url: 'https://b.example',
    })
  })

  it('is created with the defaults of the API for empty fields', () => {
    expect(inputOf({ ...draftOf(undefined), url: ' https://a.example' })).toEqual({
      url: 'https://a.example',
      format: 'standard',
    })
  })
})

describe('a hook', () => {
  const hook: Hook = {
    ...{ id: 'hk_a', object: 'hook', url_path: '/v1/hooks/in/hk_a', scheme: 'github' },
    ...{ template: 'Triage {{issue.title}}', events: ['issues'], description: 'Issues' },
    ...{ public_keys: [], run: { agent: 'triage', label: 'issue' }, created_at: '' },
  }
  const draft = hookDraftOf(hook)

  it('is created without its empty fields', () => {
    const input = { ...hookDraftOf(undefined), events: 'issues, push', agent: ' triage ' }
    expect(hookInputOf(input, 'github', ' ')).toEqual({
      ...{ scheme: 'github', template: '{{$}}', events: ['issues', 'push'], agent: 'triage' },
    })
  })

  it('is changed by the edited members only, and an empty field removes one', () => {
    expect(hookPatchOf(hook, draft)).toEqual({})
    expect(hookPatchOf(hook, { ...draft, agent: '' })).toEqual({})
    expect(hookPatchOf(hook, { ...draft, events: ' ', label: '', model: 'a/b' })).toEqual({
      ...{ events: null, label: null, model: 'a/b' },
    })
  })

  it('previews JSON as it was pasted, and other text as a form', () => {
    expect(messageOf('{"a": 1}', 'issues')).toEqual({
      ...{ payload: '{"a": 1}', headers: { 'x-github-event': 'issues' } },
    })
    expect(messageOf(' {"a": 1}', '')).toEqual({ payload: ' {"a": 1}' })
    expect(messageOf('text=hello', '').headers).toEqual({
      'content-type': 'application/x-www-form-urlencoded',
    })
  })
})
