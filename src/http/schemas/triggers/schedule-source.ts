/** Schema of the layer file that defines a schedule. */

import * as z from 'zod'
import { SCHEDULE_SOURCES } from '../shared/examples.ts'
import { sha256Of, text, textOrNull, time } from '../shared/words.ts'

const layersOf = {
  role: z
    .string()
    .max(64)
    .optional()
    .describe("Role whose layer is `roles/<role>/`; also applies to the schedule's runs"),
  repo_dir: z
    .string()
    .max(512)
    .optional()
    .describe("Repository layer; also applies to the schedule's runs"),
  base_dir: z
    .string()
    .max(512)
    .optional()
    .describe("Base layer to use in place of `base/`; also applies to the schedule's runs"),
}
export const ScheduleSourceInput = z
  .strictObject({
    ...layersOf,
    file: z
      .string()
      .max(64)
      .optional()
      .describe('Name of the file without `.md`. Defaults to the name of the schedule'),
    paused: z
      .boolean()
      .optional()
      .describe('Whether the schedule starts in the paused state. Defaults to false'),
  })
  .meta({
    id: 'ScheduleSourceInput',
    description: 'Layers that contain `.agents/schedules/<file>.md`',
    examples: SCHEDULE_SOURCES,
  })

export const ScheduleSource = z.strictObject({
  file: text('Name of the file without `.md`'),
  role: textOrNull('Role for the layer; `null` if there is none'),
  repo_dir: textOrNull('Repository layer; `null` if there is none'),
  base_dir: textOrNull('Base layer that replaces `base/`; `null` for `base/`'),
  key: text('File key at the last read, as in `/v1/files/{path}`'),
  file_digest: sha256Of('the file at the last read'),
  read_at: time('Time of the last read'),
})
