/**
 * Notes with which a run with memory starts, within a byte budget: `MEMORY.md` of each readable
 * memory, and the run's notes of today and yesterday (UTC). `run.started` names the files. Omitted
 * files cause a warning.
 */

import { dayNote, MAIN_NOTE } from '../../../../core/memory/scope.ts'
import type { RunMemory } from '../../../../core/memory/settings.ts'
import { memoryNotes } from '../../../../core/prompt.ts'
import type { RunWarning, StartNotes } from '../../../../core/run/log/facts.ts'
import { byteLength, cut, decodeStrict } from '../../../../lib/bytes.ts'
import { visible } from '../../../../lib/invisible-characters.ts'
import { readFile } from '../../../layers/files.ts'
import { memoryKey } from '../../../memory/files.ts'
import { homeOfRun } from '../../../partition/home.ts'
import { spill } from '../../../tenant/blobs.ts'
import type { Context } from '../context.ts'

const DAY_MS = 86_400_000

interface Notes {
  readonly memory?: StartNotes
  readonly warnings: readonly RunWarning[]
}
export const NO_NOTES: Notes = { warnings: [] }

interface Read {
  readonly path: string
  readonly etag: string
  readonly text: string
}

export async function startNotes(
  context: Context,
  { write, read, start_bytes }: RunMemory,
  now: number,
): Promise<Notes> {
  if (start_bytes === null) return NO_NOTES
  const { world, tenant, state } = context
  const paths = [
    ...read.map((folder) => folder + MAIN_NOTE),
    ...[now, now - DAY_MS].map((ms) => write + dayNote(ms)),
  ]
  const candidates = await Promise.all(paths.map((path) => noteOf(context, path)))
  const notes = candidates.filter((note) => note !== undefined)
  if (notes.length === 0) return NO_NOTES
  let remaining = start_bytes
  const included: Read[] = []
  const files: StartNotes['files'][number][] = []
  for (const { path, etag, text } of notes) {
    const excerpt = within(text, remaining)
    const bytes = byteLength(excerpt)
    remaining -= bytes
    if (bytes > 0) included.push({ path, etag, text: excerpt })
    files.push({ path, etag, bytes, ...(excerpt === text ? {} : { cut: true as const }) })
  }
  const short = files.filter((file) => file.cut).map(({ path }) => path)
  const text = await spill(world, homeOfRun(tenant, state.spec), memoryNotes(included))
  const message = `These memory notes were truncated to fit ${start_bytes} bytes: ${short.join(', ')}.`
  const hint = 'Shorten the notes, or raise `start_bytes` in the agent file'
  return {
    memory: { text, files },
    warnings: short.length === 0 ? [] : [{ code: 'memory_cut', message, hint }],
  }
}

async function noteOf({ world, tenant }: Context, path: string): Promise<Read | undefined> {
  const file = await readFile({ world, tenant }, memoryKey(path))
  const text = file && decodeStrict(file.body)
  if (!file || text === undefined || text === null || text.trim() === '') return undefined
  return { path, etag: file.etag, text: visible(text).text }
}

/** Truncates a note to complete lines, unless its first line exceeds the limit. */
function within(text: string, room: number): string {
  if (byteLength(text) <= room) return text
  const excerpt = cut(text, room)
  const end = excerpt.lastIndexOf('\n')
  return end > 0 ? excerpt.slice(0, end + 1) : excerpt
}
