/** A file of the story. */

import { etagOf } from '../shared/story.ts'

const written = { path: 'base/.agents/skills/refund-policy/SKILL.md', etag: etagOf('SKILL.md') }

export const FILES = [{ ...written, size: 118 }]
export const WRITTEN_FILES = [written]
