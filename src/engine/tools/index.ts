/** The tools of ours that run inside the engine, by name. */

import { isOperation } from '../../core/manage/operations.ts'
import type { RunSpec, WritePlan } from '../../core/run/facts.ts'
import type { Pin } from '../../core/run/pin.ts'
import { Bug } from '../../lib/assert.ts'
import type { World } from '../../ports/world.ts'
import { workspace } from '../partition/keys.ts'
import type { ToolAnswer } from './answer.ts'
import { attachFile, fileRead } from './files.ts'
import { manageTool } from './manage.ts'
import type { WorkingFolder } from './paths.ts'
import { contentSearch, fileList, fileSearch } from './search.ts'
import { openSkill } from './skill.ts'
import { fileEdit, fileWrite, planEdit, planWrite } from './write.ts'

interface Who {
  readonly world: World
  readonly tenant: string
  readonly spec: RunSpec
  readonly pin: Pin
  /** Whether a file of this name was handed to the run. */
  readonly handed: (name: string) => Promise<boolean>
}

/** Performs a built-in tool; `given` was checked against the tool's schema. */
export async function builtin(
  { world, tenant, spec, pin, handed }: Who,
  tool: string,
  given: Record<string, unknown>,
  write: WritePlan | null = null,
): Promise<ToolAnswer> {
  const place: WorkingFolder = { tenant, root: rootOf(spec) }
  // The schema was checked when the answer arrived: the shapes below are what it promises.
  const checked = given as never
  switch (tool) {
    case 'file_read':
      return fileRead(world, await placeOf(place, given.path, handed), checked)
    case 'file_list':
      return fileList(world, place, checked)
    case 'file_search':
      return fileSearch(world, place, checked)
    case 'content_search':
      return contentSearch(world, place, checked)
    case 'file_write':
      return fileWrite(world, place, checked, write)
    case 'file_edit':
      return fileEdit(world, place, checked, write)
    case 'attach_file':
      return attachFile(world, await placeOf(place, given.path, handed), checked)
    case 'skill':
      return openSkill(world, tenant, pin, checked)
    default:
      if (isOperation(tool)) return manageTool({ world, tenant, by: spec.id }, tool, given)
      throw new Bug(`no built-in tool ${tool}`)
  }
}

/** What a writing tool will change, or its answer when it cannot. Changes nothing. */
export function planned(
  { world, tenant, spec }: Omit<Who, 'pin' | 'handed'>,
  tool: string,
  given: Record<string, unknown>,
): Promise<WritePlan | ToolAnswer> {
  const place: WorkingFolder = { tenant, root: rootOf(spec) }
  const checked = given as never
  return tool === 'file_edit' ? planEdit(world, place, checked) : planWrite(world, place, checked)
}

/** What was handed over is named by its whole path. */
async function placeOf(
  own: WorkingFolder,
  path: unknown,
  handed: Who['handed'],
): Promise<WorkingFolder> {
  return typeof path === 'string' && (await handed(path)) ? { ...own, root: '' } : own
}

/** The prefix that the file tools work in: the repository, or the run's own workspace. */
const rootOf = (spec: RunSpec): string =>
  spec.repo_dir === null ? workspace(spec.id) : `${spec.repo_dir}/`
