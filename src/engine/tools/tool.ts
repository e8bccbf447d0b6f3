/**
 * The function of a built-in tool, bound to its object in `core/tools/builtin/<name>.ts`. Its
 * arguments were checked against the object's schema before they come here.
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

/** The working place of file tools. */
export interface Folder {
  readonly world: World
  readonly place: WorkingFolder
  /** The memory of the run, and the note of the day on which it began; absent: it has none. */
  readonly memory?: RunMemory & { readonly today: string; readonly by: string }
  /** The pin of the run, whose skills are read by their whole path; absent: none are. */
  readonly pin?: Pin
}

/** The run that calls, and what it lets its tools do. */
export interface Caller extends Folder {
  readonly tenant: string
  readonly state: RunState
  readonly pin: Pin
  /** Aborted when the call is to end. */
  readonly signal: AbortSignal
  /** The id of the call: a message that is sent again is the same message. */
  readonly call: string
  /** Whether a file of this name was handed to the run. */
  readonly handed: (name: string) => Promise<boolean>
  /** Cancels the subagent that a call has started. */
  readonly stop: (call: string) => Promise<unknown>
  /** Sends a subagent a message; it fails when that run has ended. */
  readonly send: (
    run_id: string,
    message: string,
  ) => Promise<Outcome<{ readonly message_id: string }, unknown>>
}

/** The tenant's files, as `layers/files.ts` takes them. */
export const spaceOf = ({ world, place }: Folder): FileSpace => ({ world, tenant: place.tenant })

/** Files that were handed over, and files of skills, are named by their whole path. */
export async function placeOf(
  caller: Pick<Caller, 'place' | 'handed' | 'pin'>,
  path: string,
): Promise<WorkingFolder> {
  const place = skillPlace(caller, path)
  if (place !== caller.place) return place
  return (await caller.handed(path)) ? { ...place, root: '' } : place
}

/**
 * The skills of the run are readable by their whole path, whichever layer they lie in; the
 * instructions of one that only people open are not.
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
  /** The planned change, or its answer when it cannot be. Changes nothing. */
  readonly plan: (folder: Folder, args: never) => Promise<WritePlan | ToolAnswer>
  /** The change under exactly the condition of the plan that was committed. */
  readonly perform: (folder: Folder, args: never, plan: WritePlan | null) => Promise<ToolAnswer>
}

export interface Performed<Name extends string = string> {
  readonly name: Name
  readonly plan?: WritingToolFunction['plan']
  readonly perform: (caller: Caller, args: never, plan: WritePlan | null) => Promise<ToolAnswer>
}

/** A tool of the mode `write` has to plan, others cannot. */
export const performed = <T extends OwnTool>(
  { name }: T,
  functions: T['mode'] extends 'write' ? WritingToolFunction : ToolFunction,
): Performed<T['name']> => ({ name, ...functions })
