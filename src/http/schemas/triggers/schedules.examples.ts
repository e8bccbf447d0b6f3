/** Examples of schedules: the helpdesk's nightly digest. */

import { AGENT, at, RECEIVER, RUN, SCHEDULE } from '../shared/story.ts'

const INPUT = 'Write the digest of {{slot.date}} for the helpdesk.'

export const SCHEDULE_INPUTS = [
  {
    cron: '0 7 * * 1-5',
    timezone: 'Europe/Berlin',
    input: INPUT,
    agent: AGENT,
    overlap: 'skip',
    catch_up: 'latest',
    webhook: { url: RECEIVER },
  },
  { every: '15m', input: 'Find tickets without an answer.' },
]
export const SCHEDULE_PATCHES = [{ cron: '30 6 * * 1-5', role: null }]
export const SCHEDULE_SOURCES = [{ role: 'support' }, { repo_dir: 'repos/app', file: 'nightly' }]
export const PAUSES = [{ reason: 'The helpdesk is moving' }]

const schedule = {
  id: SCHEDULE,
  object: 'schedule',
  name: 'digest',
  kind: 'schedule',
  status: 'active',
  pause: null,
  cron: '0 0 7 * * 1-5',
  timezone: 'Europe/Berlin',
  at: null,
  every_seconds: null,
  source: null,
  description: null,
  overlap: 'skip',
  catch_up: 'latest',
  catch_up_window_seconds: 86_400,
  jitter_seconds: 0,
  ends_at: null,
  run: { input: INPUT, agent: AGENT, webhook: { url: RECEIVER } },
  next_at: at('06:00:00.000'),
  upcoming: [at('06:00:00.000')],
  running: [],
  failures: 0,
  last: { slot: at('06:00:00.000'), run_id: RUN, outcome: 'completed' },
  created_by_run_id: null,
  created_at: at('08:00:00.000'),
} as const

export const SCHEDULES = [schedule]
export const SCHEDULES_WRITTEN = [{ ...schedule, webhook_secret: 'whsec_…' }]
export const FIRED = [{ run_id: RUN, status: 'started' }]
export const FIRES = [
  {
    slot: at('06:00:00.000'),
    manual: false,
    run_id: RUN,
    outcome: 'completed',
    at: at('06:00:41.000'),
    reason: null,
    count: 1,
    more: false,
  },
]
export const SCHEDULE_PREVIEW_INPUTS = [{ cron: '30 2 * * *', timezone: 'Europe/Berlin', count: 1 }]
export const SCHEDULE_PREVIEWS = [
  {
    object: 'schedule_preview',
    cron: '0 30 2 * * *',
    timezone: 'Europe/Berlin',
    upcoming: [{ at: '2026-03-29T01:00:00.000Z', local: '2026-03-29T03:00:00+02:00' }],
    has_more: true,
    findings: [
      {
        code: 'skipped',
        message:
          'In Europe/Berlin, clocks skip from 2026-03-29 02:00 to 2026-03-29 03:00; a slot in ' +
          'the skipped time is due at 2026-03-29T03:00:00+02:00.',
        at: '2026-03-29T01:00:00.000Z',
      },
    ],
  },
]
