/**
 * Reads a schedule file, `.agents/schedules/<name>.md`: the front matter contains the times, and
 * the body is the input of each run. Unusual front matter loads with findings; a missing or invalid
 * time causes only that file to be rejected. A schedule file alone starts nothing: the tenant must
 * enable it.
 */

import { sha256 } from '../../../lib/digest.ts'
import { hasUnseen } from '../../../lib/name.ts'
import { LIMITS } from '../../limits.ts'
import { definitionFrom } from '../../schedule/request.ts'
import { CATCH_UPS, isScheduleName, NAME_FAULT, OVERLAPS } from '../../schedule/schedule.ts'
import { Fields } from '../agent/fields.ts'
import { respelled } from '../agent/spelling.ts'
import { error, hasError, note, warning } from '../diagnostic.ts'
import { textOfFile } from '../encoding.ts'
import { hiddenCharacters } from '../layer/encoded-command.ts'
import { placeholderFindings } from '../skill/placeholders.ts'
import type { Diagnostic, ScheduleEntry, ScheduleWords } from '../types.ts'
import { firstLineOf, frontMatter } from '../yaml/frontmatter.ts'
import { SCHEDULE_KEYS, TEXT_LENGTHS } from './schedule-keys.ts'

type ScheduleDraft = Omit<ScheduleEntry, 'origin'>

export interface ParsedSchedule {
  readonly type: 'schedule'
  /** Parsed schedule; null if the file is rejected. */
  readonly schedule: ScheduleDraft | null
  readonly found: readonly Diagnostic[]
}

const KEYS = SCHEDULE_KEYS.map(({ name }) => name).filter((name) => name !== 'name')
const INPUT_LENGTH = 65_536

/**
 * Parses a schedule file; `stem` is the file name without `.md`, which is also the schedule's name.
 */
export function parseSchedule(bytes: Uint8Array, stem: string): ParsedSchedule {
  if (bytes.byteLength > LIMITS.file_body_bytes) {
    const most = `the file is larger than ${LIMITS.file_body_bytes} bytes`
    return rejected([error('file_too_large', most)])
  }
  const read = textOfFile(bytes)
  if (!read.ok) return rejected([read.error])
  const text = read.value
  const matter = frontMatter(text)
  if (matter.kind === 'absent') {
    const message = 'the file has no front matter and therefore no schedule'
    return rejected([error('frontmatter_missing', message, { hint: 'cron: 0 9 * * *' })])
  }
  if (matter.kind === 'broken') return rejected(matter.found)
  const { head, found: findings } = respelled(matter.head, KEYS)
  const fields = new Fields(head)
  fields.found.push(...matter.found, ...findings, ...hiddenCharacters(text))
  const bodyLine = firstLineOf(text, matter.body)
  fields.found.push(...placeholderFindings(matter.body, bodyLine, 'schedule'))
  const request = requestOf(fields, matter.body.trim())
  checkName(fields, stem)
  checkKeys(fields)
  if (!hasError(fields.found)) judge(fields, request)
  if (hasError(fields.found)) return rejected(fields.found)
  const schedule = { id: stem, request, file_digest: sha256(text) }
  return { type: 'schedule', schedule, found: fields.found }
}

const rejected = (findings: readonly Diagnostic[]): ParsedSchedule => ({
  type: 'schedule',
  schedule: null,
  found: findings,
})

function requestOf(fields: Fields, body: string): ScheduleWords {
  const texts = Object.entries(TEXT_LENGTHS).flatMap(([key, most]) => {
    const text = textOf(fields, key)
    if (text === undefined) return []
    if (text.length > most) fields.error('schedule_invalid', key, `\`${key}\` is too long`)
    return [[key, text]]
  })
  if (body.length > INPUT_LENGTH) {
    const message = `the text has more than ${INPUT_LENGTH} characters`
    fields.found.push(error('schedule_invalid', message))
  }
  const seconds = (key: string, most: number) => fields.count(key, most) ?? undefined
  const { schedule_window_seconds_max: window, schedule_jitter_seconds_max: jitter } = LIMITS
  return {
    ...Object.fromEntries(texts),
    ...ifPresent('every', fields.get('every')?.text?.trim()),
    ...ifPresent('overlap', fields.oneOf('overlap', OVERLAPS)),
    ...ifPresent('catch_up', fields.oneOf('catch_up', CATCH_UPS)),
    ...ifPresent('catch_up_window_seconds', seconds('catch_up_window_seconds', window)),
    ...ifPresent('jitter_seconds', seconds('jitter_seconds', jitter)),
    input: body,
  }
}

const ifPresent = (key: string, value: unknown) => (value == null ? {} : { [key]: value })

/** Reads a time or schedule expression as text, regardless of its YAML type. */
function textOf(fields: Fields, key: string): string | undefined {
  const entry = fields.get(key)
  if (entry === undefined || entry.value === null) return undefined
  if (entry.text === null) return fields.error('not_text', key, `\`${key}\` must be text`)
  const text = entry.text.trim()
  if (hasUnseen(text)) {
    fields.error('hidden_characters', key, `\`${key}\` contains hidden or control characters`)
  }
  return text === '' ? undefined : text
}

/**
 * Checks that a schedule's `name` matches its file name, so that two files of a layer cannot define
 * the same schedule.
 */
function checkName(fields: Fields, stem: string): void {
  if (!isScheduleName(stem)) {
    fields.found.push(error('name_invalid', `invalid file name: ${NAME_FAULT}`))
  }
  const name = fields.name()
  if (name !== undefined && name !== stem) {
    fields.warn('name_not_stem', 'name', `the file is named ${stem}.md; the name is ${stem}`)
  }
}

/** Front matter keys that have a meaning only in other files, each with an explanation. */
const NOT_HONOURED: Readonly<Record<string, string>> = {
  enabled: 'a file does not start runs; enable it with PUT /v1/schedules/{name}/source',
  role: 'its runs use the layers that contain the file',
  repo_dir: 'its runs use the layers that contain the file',
  session_id: 'a schedule file does not belong to a session',
  webhook: "the tenant's webhook endpoints receive the events of its runs",
  tools: 'its tools are determined by its agent',
}

function checkKeys({ head, found: findings }: Fields): void {
  const knownKeys: ReadonlySet<string> = new Set([...KEYS, 'name'])
  const unknown = [...head].filter(([key]) => !knownKeys.has(key))
  for (const [key, { line }] of unknown) {
    const reason = Object.hasOwn(NOT_HONOURED, key) ? NOT_HONOURED[key] : undefined
    if (reason !== undefined) {
      findings.push(
        warning('not_honoured', `\`${key}\` is not supported here: ${reason}`, { line }),
      )
    }
  }
  const ignoredKeys = unknown.filter(([key]) => !Object.hasOwn(NOT_HONOURED, key))
  if (ignoredKeys.length === 0) return
  const names = ignoredKeys.map(([key]) => key).join(', ')
  findings.push(note('unknown_keys', `no effect: ${names}`, { line: ignoredKeys[0]![1].line }))
}

/** Validates a schedule by the rules of a request; an error is reported at the line of its key. */
function judge(fields: Fields, request: ScheduleWords): void {
  const definition = definitionFrom(request, 0)
  if (definition.ok) return
  for (const { pointer, message } of definition.error.errors ?? []) {
    const key = pointer.slice(1)
    const at = key === 'input' ? 'the text' : `\`${key}\``
    fields.error('schedule_invalid', key, `${at}: ${message}`)
  }
}
