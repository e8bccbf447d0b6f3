/**
 * A schedule with a webhook: written twice and there once, due in ten seconds, and its run's end
 * arrives signed; then run by hand. The receiver is a server on this machine, so the server needs
 * `ALLOW_LOOPBACK=true`.
 *
 *   STRATA_URL=http://127.0.0.1:8787 STRATA_API_KEY=strata_… node examples/schedule.ts
 *
 * The inputs are scripts for the model of test/support/model-server.ts; a real model answers them
 * in its own words.
 */

import { startReceiver } from './demo/receiver.ts'

const { STRATA_URL: url = 'http://127.0.0.1:8787', STRATA_API_KEY: key = '' } = process.env
const INPUT = '@say The report of {{slot.date}} is written.'

async function api(method: string, path: string, body?: object) {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  const answer = text === '' ? {} : JSON.parse(text)
  return { status: response.status, body: answer }
}

function so(is: boolean, said: string): void {
  if (!is) throw new Error(`Failed: ${said}`)
  console.log(said)
}

const receiver = await startReceiver()
try {
  const soon = new Date(Date.now() + 10_000).toISOString()
  const report = { at: soon, input: INPUT, webhook: { url: receiver.url } }
  const first = await api('PUT', '/v1/schedules/report', report)
  receiver.setSecret(first.body.webhook_secret)
  const again = await api('PUT', '/v1/schedules/report', report)
  so(first.status === 201 && again.status === 200, 'Deployed twice, it is one schedule.')
  const { id, body } = await receiver.verified
  so(body.type === 'run.completed' && id !== '', 'Ten seconds later its run has ended, signed.')
  const { body: shown } = await api('GET', '/v1/schedules/report')
  so(shown.status === 'ended', 'It was due once, so it is over.')

  const nightly = { cron: '0 2 * * *', timezone: 'Europe/Berlin', input: INPUT, overlap: 'queue' }
  const { body: made } = await api('PUT', '/v1/schedules/nightly', nightly)
  so(made.upcoming.length === 10, `The next nights: ${made.upcoming.slice(0, 2).join(', ')} …`)
  const { body: fired } = await api('POST', '/v1/schedules/nightly/run')
  const { body: run } = await api('GET', `/v1/runs/${fired.run_id}?wait=60`)
  so(run.kind === 'schedule' && run.status === 'completed', 'Run by hand: it need not be night.')
  const { body: history } = await api('GET', '/v1/schedules/nightly/runs')
  so(history.data[0].run_id === run.id, 'The history knows it.')
  await api('DELETE', '/v1/schedules/nightly')
  await api('DELETE', '/v1/schedules/report')
  console.log('schedule ok')
} finally {
  await receiver.close()
}
