/** English texts of the pages that the chat does not need, loaded with the first of these pages. */

import type { en } from './en.ts'
import { audit } from './en-audit.ts'
import { compare } from './en-compare.ts'
import { effective } from './en-effective.ts'
import { fanouts } from './en-fanouts.ts'
import { imports } from './en-import.ts'
import { keys } from './en-keys.ts'
import { layers } from './en-layers.ts'
import { memory } from './en-memory.ts'
import { run } from './en-run.ts'
import { schedules } from './en-schedules.ts'
import { secrets } from './en-secrets.ts'
import { settings } from './en-settings.ts'
import { tenants } from './en-tenants.ts'
import { usage } from './en-usage.ts'
import { webhooks } from './en-webhooks.ts'

export const pages = {
  ...{ ...run, ...compare, ...fanouts, ...effective, ...layers, ...imports, ...webhooks },
  ...{ ...schedules, ...memory, ...keys, ...secrets, ...usage, ...audit, ...settings, ...tenants },
} as const

/** Name of a text of any page. */
export type Word = keyof typeof en | keyof typeof pages
