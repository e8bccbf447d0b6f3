/**
 * Parses the `model` value of an agent file: an alias, a dated ID, `provider/model`, a display name
 * such as `Claude Sonnet 4.5 (copilot)`, or a list of these. Only the syntax is checked here;
 * availability is checked when layers are folded.
 */

import type { Plain } from '../yaml/head.ts'
import type { Fields } from './fields.ts'

const REFERENCE =
  /^[A-Za-z0-9@][A-Za-z0-9._:@+-]*(?:\/[A-Za-z0-9@][A-Za-z0-9._:@+-]*){0,3}(?:\[1m\])?$/
const DISPLAY = /^[A-Za-z][A-Za-z0-9.+-]*(?: [A-Za-z0-9.+-]+){0,6}(?: \([A-Za-z -]+\))?$/
const LENGTH = 128

export interface ModelChoice {
  /** Model reference of the agent; null if the file has no usable reference. */
  readonly model: string | null
  /** All model references, if the file lists several. */
  readonly models?: readonly string[]
}

export function modelOf(fields: Fields): ModelChoice {
  const value = fields.get('model')?.value
  if (value === undefined || value === null) return { model: null }
  const choices: readonly Plain[] = Array.isArray(value) ? value : [value]
  const models = choices.flatMap((choice) =>
    typeof choice === 'string' && formed(choice.trim()) ? [choice.trim()] : [],
  )
  const [model] = models
  if (model !== undefined) return models.length > 1 ? { model, models } : { model }
  fields.warn(
    'model_unknown',
    'model',
    "`model` does not name a model; the caller's model is used",
    'model: inherit',
  )
  return { model: null }
}

const formed = (text: string): boolean =>
  text.length <= LENGTH && !text.includes('..') && (REFERENCE.test(text) || DISPLAY.test(text))
