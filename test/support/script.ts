/** The scripted model for tests of the engine, and words for its scripts. */

import type { Clock, Model, ModelRequest } from '../../src/ports/world.ts'
import { scriptModel as model, type ScriptModel } from '../../src/testing/script-model.ts'

export type { ScriptModel } from '../../src/testing/script-model.ts'

/** A line of a script that starts so many subagents. */
export const spawn = (given: Readonly<Record<string, unknown>>, count = 1): string =>
  `@spawn ${count} ${JSON.stringify(given)}`

/** What the scripted model of a world was asked. */
export const requestsOf = ({ model: used }: { readonly model: Model }): readonly ModelRequest[] =>
  (used as ScriptModel).requests

/** With a clock, `@slow` takes its time, or ends early when the call is aborted. */
export const scriptModel = (clock?: Pick<Clock, 'sleep'>, window?: number): ScriptModel =>
  model({ clock, window })
