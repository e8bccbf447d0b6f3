/** Cursors of lists and positions in streams (C). */

import { bent, lastBent } from '../../support/bent.ts'
import type { Client } from '../../support/launch.ts'
import { type Ask, type Case, json, type Made, type Reply } from './kit.ts'

/** The cursor of a first page of files. */
async function cursorOf(client: Client): Promise<string> {
  for (const name of ['a', 'b'])
    await client.ask(`/v1/files/cursors/${name}`, { method: 'PUT', body: name })
  const { body } = await json(client, 'GET', '/v1/files?limit=1')
  return (body as { next_cursor: string }).next_cursor
}
const withCursor =
  (change: (cursor: string) => string, list = '/v1/files'): Ask =>
  async ({ client }) => {
    const cursor = encodeURIComponent(change(await cursorOf(client)))
    return json(client, 'GET', `${list}?limit=1&cursor=${cursor}`)
  }

/** Events of a run that has ended. */
const after =
  (id: string, status = ''): Ask =>
  async ({ client }): Promise<Reply> => {
    const { body } = await json(client, 'POST', '/v1/runs', { input: '@say x' })
    const path = `/v1/runs/${(body as Made).id}/events${status}`
    return json(client, 'GET', path, undefined, { 'last-event-id': id })
  }

export const CURSORS: readonly Case[] = [
  ['C01', 'one bit changed', withCursor(bent), 400, 'invalid_cursor'],
  ['C01', 'the last bits changed', withCursor(lastBent), 400, 'invalid_cursor'],
  ['C01', 'empty, which is none', withCursor(() => ''), 200],
  ['C01', 'cut', withCursor((cursor) => cursor.slice(0, -4)), 400, 'invalid_cursor'],
  ['C01', '10 KB', withCursor(() => 'x'.repeat(10_000)), 400, 'invalid_cursor'],
  ['C01', 'of another list', withCursor((cursor) => cursor, '/v1/runs'), 400, 'invalid_cursor'],
  ['C02', 'a key of the store', withCursor(() => '{"p":{"S":"test/run"}}'), 400, 'invalid_cursor'],
  [
    'C03',
    'of another tenant',
    async ({ client, other }) => {
      const cursor = encodeURIComponent(await cursorOf(client))
      return json(other, 'GET', `/v1/files?limit=1&cursor=${cursor}`)
    },
    400,
    'invalid_cursor',
  ],
  ...['-1', 'NaN', '0x10', '1 1', '9'.repeat(400)].map(
    (id): Case => ['C07', `Last-Event-ID: ${id.slice(0, 8)}`, after(id), 400, 'invalid_header'],
  ),
  ['C07', 'an ID beyond the last event', after('99'), 400, 'event_ahead'],
  ['C10', 'a header beside a bad ?after=', after('1', '?after=2'), 200],
]
