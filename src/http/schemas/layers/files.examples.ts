/** Examples of layer files in the sample scenario. */

import { etagOf } from '../shared/story.ts'

const writtenFile = { path: 'base/.agents/skills/refund-policy/SKILL.md', etag: etagOf('SKILL.md') }

export const FILES = [{ ...writtenFile, size: 118 }]
export const WRITTEN_FILES = [writtenFile]
