/** The file of a layer that defines a schedule. */

import * as z from 'zod'
import { SCHEDULE_SOURCES } from '../shared/examples.ts'
import { sha256Of, text, textOrNull, time } from '../shared/words.ts'

const layersOf = {
  role: z.string().max(64).optional().describe('The role layer `roles/<role>/`, also of its runs'),
  repo_dir: z.string().max(512).optional().describe('The repository layer, also of its runs'),
  base_dir: z.string().max(512).optional().describe('Replaces `base/`, also for its runs'),
}
export const ScheduleSourceInput = z
  .strictObject({
    ...layersOf,
    file: z
      .string()
      .max(64)
      .optional()
      .describe('The name of the file without `.md`. Default: the name of the schedule'),
    paused: z.boolean().optional().describe('True: it begins paused. Default: false'),
  })
  .meta({
    id: 'ScheduleSourceInput',
    description: 'The layers in which `.agents/schedules/<file>.md` is found',
    examples: SCHEDULE_SOURCES,
  })

export const ScheduleSource = z.strictObject({
  file: text('The name of the file without `.md`'),
  role: textOrNull('The role layer; null: none'),
  repo_dir: textOrNull('The repository layer; null: none'),
  base_dir: textOrNull('In place of `base/`; null: that'),
  key: text('Where the file lay when it was read last, as `/v1/files/{path}` takes it'),
  file_digest: sha256Of('the file when it was read last'),
  read_at: time('When it was read last'),
})
