/** Schemas of requests that rewrite older layouts of a layer. */

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
      .describe('Layer prefix: `base/`, `roles/<role>/`, or `repos/<name>/`'),
    base_dir: z
      .string()
      .max(512)
      .optional()
      .describe('Base layer to migrate in place of `layer`, if other than `base/`, as in runs'),
    dry_run: z
      .boolean()
      .default(true)
      .describe('Whether to report the planned steps without performing them'),
  })
  .meta({ id: 'MigrateInput', description: 'Layer to migrate', examples: MIGRATE_INPUTS })

const Step = z.strictObject({
  action: z
    .enum(['write', 'move', 'delete', 'skip'])
    .describe('Action for the step; `skip` leaves the file unchanged, and `reason` explains why'),
  path: text('Key of the file that is written, deleted, or skipped'),
  from: text('Key of the source file').optional(),
  content: text('Text of a new file, with secret values hidden').optional(),
  reason: text('Reason for the action').optional(),
  diagnostics: diagnostics('the file as written').optional(),
})

export const Migration = z
  .strictObject({
    layer: layer(),
    dry_run: z.boolean().describe('Whether the steps were only planned and nothing was changed'),
    steps: z.array(Step).describe('Steps in order; empty if the layer has no older layout'),
  })
  .meta({
    id: 'Migration',
    description: 'Migration steps, performed or planned',
    examples: MIGRATIONS,
  })
