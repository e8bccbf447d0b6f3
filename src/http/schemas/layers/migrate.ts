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
      .describe('The layer, by its prefix: `base/`, `roles/<role>/`, `repos/<name>/`'),
    base_dir: z
      .string()
      .max(512)
      .optional()
      .describe('Instead of `layer`: a base layer in place of `base/`, as runs name it'),
    dry_run: z.boolean().default(true).describe('False: do it; else only say what would be done'),
  })
  .meta({ id: 'MigrateInput', description: 'The layer to migrate', examples: MIGRATE_INPUTS })

const Step = z.strictObject({
  action: z
    .enum(['write', 'move', 'delete', 'skip'])
    .describe('`skip`: the file is left alone, `reason` says why'),
  path: text('The key of the file that is written, deleted or skipped'),
  from: text('The key of the file that it is made of').optional(),
  content: text('The text of a file that is made anew, with values hidden').optional(),
  reason: text('Why it is done or left').optional(),
  diagnostics: diagnostics('the file as it is written').optional(),
})

export const Migration = z
  .strictObject({
    layer: layer(),
    dry_run: z.boolean().describe('True: nothing was changed'),
    steps: z.array(Step).describe('In their order; empty: there is nothing of an older layout'),
  })
  .meta({
    id: 'Migration',
    description: 'The steps of a migration, done or planned',
    examples: MIGRATIONS,
  })
