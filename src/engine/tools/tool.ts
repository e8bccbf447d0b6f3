/**
 * Function of a built-in tool, bound to the tool's object in `core/tools/builtin/<name>.ts`. The
 * arguments were already validated against the object's schema.
 */

import type { RunMemory } from '../../core/memory/settings.ts'
import type { WritePlan } from '../../core/run/log/facts.ts'
import type { Pin, PinnedSkill } from '../../core/run/log/pin.ts'
import type { RunState } from '../../core/run/state/state.ts'
import type { OwnTool } from '../../core/tools/builtin/index.ts'
import type { Outcome } from '../../lib/outcome.ts'
import type { World } from '../../ports/world.ts'
import type { FileSpace } from '../layers/files.ts'
import type { ToolAnswer } from './answer.ts'
import type { WorkingFolder } from './paths.ts'

/** Working folder in which file tools operate. */
export interface Folder {
  readonly world: World
  readonly place: WorkingFolder
  /** Memory of the run, with the note of the run's first day; absent if the run has no memory. */
  readonly memory?: RunMemory & { readonly today: string; readonly by: string }
  /**
   * Pinned configuration of the run. Its skills are readable by full path; if absent, no skills are
   * readable.
   */
  readonly pin?: Pin
}

/** Run that calls the tool, and what the run permits its tools. */
export interface Caller extends Folder {
  readonly tenant: string
  readonly state: RunState
  readonly pin: Pin
  /** Signal that aborts when the tool call must end. */
  readonly signal: AbortSignal
  /** ID of the tool call; a repeated message with the same ID is the same message. */
  readonly call: string
  /** Reports whether the file with this name was shared with the run. */
  readonly handed: (name: string) => Promise<boolean>
  /** Cancels the subagent that the given call started. */
  readonly stop: (call: string) => Promise<unknown>
  /** Sends a message to a subagent; fails if the subagent's run has ended. */
  readonly send: (
    run_id: string,
    message: string,
  ) => Promise<Outcome<{ readonly message_id: string }, unknown>>
}

/** Returns the tenant's files in the form that `layers/files.ts` expects. */
export const spaceOf = ({ world, place }: Folder): FileSpace => ({ world, tenant: place.tenant })

/** Returns the folder that a path is relative to; shared and skill files have full paths. */
export async function placeOf(
  caller: Pick<Caller, 'place' | 'handed' | 'pin'>,
  path: string,
): Promise<WorkingFolder> {
  const place = skillPlace(caller, path)
  if (place !== caller.place) return place
  return (await caller.handed(path)) ? { ...place, root: '' } : place
}

/**
 * Returns the folder from which a skill's path resolves; skills of the run are readable by full
 * path in any layer. The instructions of a skill that only people can open are excluded.
 */
export function skillPlace({ place, pin }: Pick<Folder, 'place' | 'pin'>, path: string) {
  const requestedPath = path.replace(/^\.\//, '')
  const isIn = ({ key, by_people }: PinnedSkill): boolean => {
    const folder = key.slice(0, key.lastIndexOf('/') + 1)
    return `${requestedPath}/`.startsWith(folder) && !(by_people && requestedPath === key)
  }
  return pin?.skills.some(isIn) ? { ...place, root: '' } : place
}

interface ToolFunction {
  readonly perform: (caller: Caller, args: never) => Promise<ToolAnswer>
}
interface WritingToolFunction {
  /** Plans the file change, or returns the error that prevents it. Changes nothing. */
  readonly plan: (folder: Folder, args: never) => Promise<WritePlan | ToolAnswer>
  /** Performs the file change under exactly the condition of the committed plan. */
  readonly perform: (folder: Folder, args: never, plan: WritePlan | null) => Promise<ToolAnswer>
}

export interface Performed<Name extends string = string> {
  readonly name: Name
  readonly plan?: WritingToolFunction['plan']
  readonly perform: (caller: Caller, args: never, plan: WritePlan | null) => Promise<ToolAnswer>
}

/** Checks the type of a tool's functions: a tool must have a plan only if its mode is `write`. */
export const performed = <T extends OwnTool>(
  { name }: T,
  functions: T['mode'] extends 'write' ? WritingToolFunction : ToolFunction,
): Performed<T['name']> => ({ name, ...functions })
