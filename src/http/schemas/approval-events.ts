/** The data of events about approvals. */

import * as z from 'zod'
import { askedBy, decidedBy, decisions, path } from './approvals.ts'
import { body } from './event-parts.ts'
import { callId, sha256Of, text, textOrNull, time } from './words.ts'

export const APPROVAL_DATA = {
  'approval.requested': z
    .strictObject({
      id: text('The approval: `apr_` and 52 characters'),
      call: callId('The tool call that waits'),
      tool: text('The tool, as the model sees it'),
      arguments: body('JSON text as the model wrote it'),
      args_hash: sha256Of('the arguments'),
      reason: askedBy(),
      expires_at: time('Until when it can be decided'),
      path: path(),
    })
    .describe('A person is asked'),
  'approval.decided': z
    .strictObject({
      id: text('The approval: `apr_` and 52 characters'),
      call: callId('The tool call that waited'),
      decision: decisions(),
      by: decidedBy(),
      reason: textOrNull('The reason that was given; null: none'),
      arguments: body('JSON text that was approved instead, values hidden').optional(),
    })
    .describe('An approval was decided, or it expired'),
} as const
