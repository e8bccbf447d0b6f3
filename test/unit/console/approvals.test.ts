/** The lists of approvals: its address, the selection after a decision, and reasons of calls. */

import { describe, expect, it } from 'vitest'
import type { RunEvent } from '../../../src/client/index.ts'
import { reasonIn } from '../../../src/console/approvals/reason.ts'
import {
  approvalSearch,
  neighborOf,
  nextAfter,
  pathOf,
} from '../../../src/console/approvals/selection.ts'

const IDS = ['apr_a', 'apr_b', 'apr_c']

describe('the address of the lists', () => {
  it('keeps the tab and a selected ID, and drops anything else', () => {
    expect(approvalSearch({ tab: 'decided', sel: 'apr_a' })).toEqual({
      tab: 'decided',
      sel: 'apr_a',
    })
    expect(approvalSearch({ sel: 'run_a' })).toEqual({ sel: 'run_a' })
    expect(approvalSearch({ tab: 'pending', sel: 7, q: 'x' })).toEqual({})
    expect(approvalSearch({ tab: 'all', sel: '<b>' })).toEqual({})
  })
})

describe('the selection of the lists', () => {
  it('moves by one row and stops at both ends', () => {
    expect(neighborOf(IDS, 'apr_a', 0, 1)).toBe('apr_b')
    expect(neighborOf(IDS, 'apr_c', 2, 1)).toBe('apr_c')
    expect(neighborOf(IDS, 'apr_a', 0, -1)).toBe('apr_a')
    expect(neighborOf([], undefined, 0, 1)).toBe(undefined)
  })

  it('continues at the place of a row that has left the list', () => {
    expect(neighborOf(['apr_a', 'apr_c'], 'apr_b', 1, 1)).toBe('apr_c')
    expect(neighborOf(['apr_a', 'apr_c'], 'apr_b', 1, -1)).toBe('apr_a')
    expect(neighborOf(['apr_a'], 'apr_b', 1, 1)).toBe('apr_a')
  })

  it('is the next row after a decision, and the previous one at the end', () => {
    expect(nextAfter(IDS, 'apr_a')).toBe('apr_b')
    expect(nextAfter(IDS, 'apr_c')).toBe('apr_b')
    expect(nextAfter(['apr_a'], 'apr_a')).toBe(undefined)
    expect(nextAfter(IDS, 'apr_x')).toBe('apr_a')
  })

  it('names a path by labels, or else by agents', () => {
    const path = [
      { agent: 'triage', label: null },
      { agent: 'writer', label: 'mail' },
    ]
    expect(pathOf(path)).toBe('triage › mail')
  })
})

const message = (parts: readonly object[]): RunEvent =>
  ({
    ...{ type: 'assistant.message', seq: 7 },
    data: { step: 2, parts, calls: [{ id: 'call_a' }] },
  }) as unknown as RunEvent

describe('the reason of a call', () => {
  it('is the text that the model wrote before the call', () => {
    const event = message([
      { type: 'reasoning', text: 'Hm.' },
      { type: 'text', text: 'I note the refund.' },
      { type: 'call', id: 'call_a' },
    ])
    expect(reasonIn(event, 'call_a')).toEqual({ seq: 7, step: 3, text: 'I note the refund.' })
    expect(reasonIn(event, 'call_b')).toBe(undefined)
  })

  it('is the reasoning without a text, and empty without both', () => {
    expect(reasonIn(message([{ type: 'reasoning', text: 'Hm.' }]), 'call_a')?.text).toBe('Hm.')
    expect(reasonIn(message([{ type: 'call', id: 'call_a' }]), 'call_a')?.text).toBe('')
  })
})
