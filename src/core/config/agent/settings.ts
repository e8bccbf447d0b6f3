/**
 * Reads model settings at the top level of an agent file, such as `temperature` and `top_p`, also
 * in camel case. Invalid values are omitted with a warning, because other products give some of
 * these names a different meaning.
 */

import { type ModelSettings, SETTING_SHAPE } from '../../model-settings.ts'
import type { Head } from '../yaml/head.ts'
import type { Fields } from './fields.ts'

const NAMES = Object.keys(SETTING_SHAPE) as (keyof ModelSettings)[]

const camel = (name: string): string =>
  name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** Returns the front matter keys that are model settings, as written. */
export const settingKeys = (head: Head): string[] =>
  NAMES.flatMap((name) => [name, camel(name)]).filter((key) => head.has(key))

export function settingsIn(fields: Fields): { readonly model_settings?: ModelSettings } {
  const settings: Record<string, unknown> = {}
  for (const name of NAMES) {
    for (const key of new Set([name, camel(name)])) {
      const value = fields.get(key)?.value
      if (value === undefined || value === null) continue
      if (name in settings) {
        fields.warn('invalid_value', key, `\`${key}\` occurs twice; the first value is used`)
        continue
      }
      const read = SETTING_SHAPE[name].safeParse(plain(value))
      if (read.success) settings[name] = read.data
      else
        fields.warn(
          'invalid_value',
          key,
          `\`${key}\` was ignored: ${read.error.issues[0]?.message}`,
        )
    }
  }
  return Object.keys(settings).length === 0 ? {} : { model_settings: settings as ModelSettings }
}

/** Copies a front matter value as plain JSON, because front matter maps have no prototype. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
