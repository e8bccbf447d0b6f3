/** Recognizes a schedule file by its path, or explains why the file is not a schedule. */

import { note } from '../diagnostic.ts'
import type { Diagnostic } from '../types.ts'
import { SCHEDULE_PLACE } from './layout.ts'
import type { AgentSlot, LayerFile } from './plan.ts'

export function scheduleSlot(file: LayerFile): AgentSlot | Diagnostic {
  const name = file.path.slice(SCHEDULE_PLACE.length)
  if (name.includes('/')) {
    const hint = `move the file to ${SCHEDULE_PLACE}${name.replaceAll('/', '-')}`
    return note('nested', 'ignored: nested; schedules must be directly in the folder', { hint })
  }
  if (!/.\.md$/i.test(name)) {
    return note('not_a_schedule_file', 'only <name>.md files are schedules')
  }
  return { place: SCHEDULE_PLACE, file, stem: name.slice(0, -3) }
}
