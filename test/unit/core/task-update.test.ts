/** Webhooks of A2A's format: every event that brings a task to another state. */

import { describe, expect, it } from 'vitest'
import { NO_USAGE } from '../../../src/core/message.ts'
import { webhookBody } from '../../../src/core/webhook/signature.ts'

describe('a run event as an A2A push notification', () => {
  const pushed = (type: string, more: object = {}) => {
    const event = {
      ...{ id: 'evt_x', type, run_id: 'run_x', seq: 7, created_at: '2026-01-01T00:00:00Z' },
      about: { session_id: 'ses_x', metadata: {}, usage: NO_USAGE, ...more },
      data: {},
      ...('data' in more ? { data: more.data } : {}),
    }
    const { statusUpdate } = JSON.parse(webhookBody(event, '/x', 'a2a'))
    return statusUpdate
  }

  it('names the task, its context, and the position in the log', () => {
    expect(pushed('run.completed', { data: { stop_reason: 'end_turn' } })).toEqual({
      taskId: 'run_x',
      contextId: 'ses_x',
      status: { state: 'TASK_STATE_COMPLETED', timestamp: '2026-01-01T00:00:00Z' },
      metadata: { strata: { run_id: 'run_x', seq: 7 } },
    })
  })

  it('has the state of the task’s stream, and the reason', () => {
    const stateOf = (type: string, more?: object) => {
      const { state, message } = pushed(type, more).status
      return [state.replace('TASK_STATE_', ''), message?.parts[0].text]
    }
    const error = { code: 'model_failed', message: 'It did not answer.' }
    expect(stateOf('run.failed', { error })).toEqual(['FAILED', 'model_failed: It did not answer.'])
    expect(stateOf('run.timed_out', { error })[0]).toBe('FAILED')
    expect(stateOf('run.cancelled', { data: { reason: 'enough' } })).toEqual(['CANCELED', 'enough'])
    expect(stateOf('run.completed', { data: { stop_reason: 'refusal' } })[0]).toBe('REJECTED')
    expect(stateOf('run.completed', { data: { stop_reason: 'max_steps' } })).toEqual([
      'COMPLETED',
      'The run stopped early: max_steps.',
    ])
    expect(stateOf('question.asked')).toEqual(['INPUT_REQUIRED', undefined])
    expect(stateOf('approval.requested', { data: { tool: 'file_write' } })).toEqual([
      'AUTH_REQUIRED',
      'file_write is waiting for approval; see GET /v1/approvals.',
    ])
  })
})
