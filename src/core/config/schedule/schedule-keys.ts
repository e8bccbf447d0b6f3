/**
 * Front matter keys of a schedule file. Times and bounds are the same as in `POST /v1/schedules`.
 */

import * as z from 'zod'
import { LIMITS } from '../../limits.ts'
import { CATCH_UPS, OVERLAPS } from '../../schedule/schedule.ts'
import { type FileKey, integer, TEXT } from '../file-key.ts'

/** Maximum lengths of a schedule's texts in characters, the same as in requests. */
export const TEXT_LENGTHS = {
  cron: 200,
  timezone: 64,
  at: 40,
  description: 500,
  agent: 200,
  model: 200,
  label: 200,
  ends_at: 40,
} as const

const text = (key: keyof typeof TEXT_LENGTHS) => TEXT.max(TEXT_LENGTHS[key])

const WHEN: readonly FileKey[] = [
  {
    name: 'cron',
    schema: text('cron'),
    default: 'one of `cron`, `at`, and `every` is required',
    example: '0 8 * * 1-5',
    about: 'Cron expression with five fields.',
    otherwise: 'file',
  },
  {
    name: 'timezone',
    schema: text('timezone'),
    default: 'UTC',
    example: 'Europe/Berlin',
    about: 'IANA time zone for `cron`.',
    otherwise: 'file',
  },
  {
    name: 'at',
    schema: text('at'),
    default: 'one of `cron`, `at`, and `every` is required',
    example: '2027-01-04T09:00:00Z',
    about: 'Time of a one-time run, in RFC 3339 format.',
    otherwise: 'file',
  },
  {
    name: 'every',
    schema: TEXT,
    default: 'one of `cron`, `at`, and `every` is required',
    example: '15m',
    about: 'Interval between runs.',
    otherwise: 'file',
  },
  {
    name: 'jitter_seconds',
    schema: integer(1, LIMITS.schedule_jitter_seconds_max),
    default: 'none',
    example: 60,
    about: 'Number of seconds over which starts are spread.',
    otherwise: 'file',
  },
  {
    name: 'ends_at',
    schema: text('ends_at'),
    default: 'no end time',
    example: '2027-06-30T00:00:00Z',
    about: 'Time after which no run starts, in RFC 3339 format.',
    otherwise: 'file',
  },
]

const RUN: readonly FileKey[] = [
  {
    name: 'name',
    schema: TEXT,
    default: "the file's name",
    example: 'morning',
    about: "Name of the schedule. The file's name takes precedence.",
    otherwise: 'file',
  },
  {
    name: 'description',
    schema: text('description'),
    default: 'none',
    example: 'Writes a note every working day.',
    about: 'Description shown in lists.',
    otherwise: 'file',
  },
  {
    name: 'agent',
    schema: text('agent'),
    default: 'general',
    example: 'researcher',
    about: 'Agent that each run uses.',
    otherwise: 'file',
  },
  {
    name: 'model',
    schema: text('model'),
    default: "the agent's model",
    example: 'sonnet',
    about: 'Model that each run uses.',
    otherwise: 'file',
  },
  {
    name: 'label',
    schema: text('label'),
    default: 'none',
    example: 'digest',
    about: 'Label that each run gets.',
    otherwise: 'file',
  },
  {
    name: 'overlap',
    schema: z.enum(OVERLAPS),
    default: 'skip',
    example: 'queue',
    about: 'Behavior when the previous run is still active.',
    otherwise: 'file',
  },
  {
    name: 'catch_up',
    schema: z.enum(CATCH_UPS),
    default: 'latest',
    example: 'none',
    about: 'Missed runs to start after the deployment was unavailable.',
    otherwise: 'file',
  },
  {
    name: 'catch_up_window_seconds',
    schema: integer(1, LIMITS.schedule_window_seconds_max),
    default: '86400',
    example: 3_600,
    about: 'Maximum age, in seconds, of a missed run that can still be started.',
    otherwise: 'file',
  },
]

export const SCHEDULE_KEYS: readonly FileKey[] = [...WHEN, ...RUN]
