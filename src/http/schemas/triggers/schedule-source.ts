/** The file of a layer that defines a schedule. */

import * as z from 'zod'
import { SCHEDULE_SOURCES } from '../shared/examples.ts'
import { sha256Of, text, textOrNull, time } from '../shared/words.ts'

const layersOf = {
  role: z
    .string()
    .max(64)
    .optional()
    .describe('Role, whose layer is `roles/<role>/`, also for its runs'),
  repo_dir: z.string().max(512).optional().describe('Repository layer, also for its runs'),
  base_dir: z.string().max(512).optional().describe('Replaces `base/`, also for its runs'),
}
export const ScheduleSourceInput = z
  .strictObject({
    ...layersOf,
    file: z
      .string()
      .max(64)
      .optional()
      .describe('Name of the file without `.md`. Default: the name of the schedule'),
    paused: z.boolean().optional().describe('True: it starts paused. Default: false'),
  })
  .meta({
    id: 'ScheduleSourceInput',
    description: 'The layers that have `.agents/schedules/<file>.md`',
    examples: SCHEDULE_SOURCES,
  })

export const ScheduleSource = z.strictObject({
  file: text('Name of the file without `.md`'),
  role: textOrNull('The role layer; null: none'),
  repo_dir: textOrNull('The repository layer; null: none'),
  base_dir: textOrNull('Replaces `base/`; null: `base/`'),
  key: text('Key of the file when it was last read, as in `/v1/files/{path}`'),
  file_digest: sha256Of('the file when it was last read'),
  read_at: time('Time of the last read'),
})
