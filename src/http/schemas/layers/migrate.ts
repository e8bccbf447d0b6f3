/** Rewriting older layouts of a layer. */

import * as z from 'zod'
import { MIGRATE_INPUTS, MIGRATIONS } from '../shared/examples.ts'
import { layer, text } from '../shared/words.ts'
import { diagnostics } from './config.ts'

export const MigrateInput = z
  .strictObject({
    layer: z
      .string()
      .max(512)
      .default('base/')
      .describe('Prefix of the layer: `base/`, `roles/<role>/`, `repos/<name>/`'),
    base_dir: z
      .string()
      .max(512)
      .optional()
      .describe('Replaces `layer`: another base layer than `base/`, as in runs'),
    dry_run: z
      .boolean()
      .default(true)
      .describe('False: migrate. True: only report what would be done'),
  })
  .meta({ id: 'MigrateInput', description: 'The layer to migrate', examples: MIGRATE_INPUTS })

const Step = z.strictObject({
  action: z
    .enum(['write', 'move', 'delete', 'skip'])
    .describe('`skip`: the file is unchanged; `reason` says why'),
  path: text('Key of the file that is written, deleted, or skipped'),
  from: text('Key of the source file').optional(),
  content: text('Text of a new file, with values hidden').optional(),
  reason: text('Why it is done or skipped').optional(),
  diagnostics: diagnostics('the file as it is written').optional(),
})

export const Migration = z
  .strictObject({
    layer: layer(),
    dry_run: z.boolean().describe('True: nothing was changed'),
    steps: z.array(Step).describe('In order; empty: the layer has no older layout'),
  })
  .meta({
    id: 'Migration',
    description: 'The steps of the migration, done or planned',
    examples: MIGRATIONS,
  })
