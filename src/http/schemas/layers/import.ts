/** Schemas of imports of stored files into a layer. */

import * as z from 'zod'
import { LIMITS } from '../../../core/limits.ts'
import { IMPORT_INPUTS, IMPORTS } from '../shared/examples.ts'
import { layer, sha256Of, text, textOrNull } from '../shared/words.ts'
import { FileRecord } from './config.ts'

export const ImportInput = z
  .strictObject({
    from: z
      .string()
      .max(512)
      .describe(
        'Folder below `imports/` with the files to import, written with `PUT /v1/files/{path}`; ' +
          `at most ${LIMITS.import_files} files and ${LIMITS.import_bytes} bytes`,
      ),
    layer: z
      .string()
      .max(512)
      .describe('Layer prefix: `base/`, `roles/<role>/`, or `repos/<name>/`'),
    loose: z
      .boolean()
      .default(false)
      .describe(
        'Whether to classify files by content, and to import only agents and skills, from any ' +
          'folder to `.agents/`. By default, each file keeps its path',
      ),
    plan: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .optional()
      .describe(
        'The `plan` of a dry run. If files have changed since then, the import is rejected; ' +
          'if omitted, the current plan is performed',
      ),
    dry_run: z
      .boolean()
      .default(true)
      .describe('Whether to report the planned steps without performing them'),
  })
  .meta({ id: 'ImportInput', description: 'Files to import', examples: IMPORT_INPUTS })

const Step = z.strictObject({
  action: z
    .enum(['create', 'replace', 'keep', 'skip'])
    .describe(
      'Action for the file. `keep`: the layer already contains the same bytes. `skip`: the file ' +
        'is not imported, and `reason` explains why',
    ),
  path: text('Key of the file in the layer'),
  from: text('Key of the file in the import'),
  etag: textOrNull(
    'ETag of the file in the layer: as found, or as written by an import; `null` if there is none',
  ),
  reason: text(
    'Reason why the file is not imported, or is not read in the layer; absent if there is none',
  ).optional(),
})

export const Import = z
  .strictObject({
    from: text('Folder of the imported files, with a trailing slash'),
    layer: layer(),
    dry_run: z.boolean().describe('Whether the steps were only planned and nothing was changed'),
    plan: sha256Of('the steps and the ETags that they depend on, for `plan` of an import'),
    steps: z.array(Step).describe('Steps, one per file, ordered by path in the import'),
    records: z
      .array(FileRecord)
      .describe(
        'Records of the check, as `strata check` prints them, with paths below the import; a ' +
          'file that git ignores has none',
      ),
  })
  .meta({ id: 'Import', description: 'Import steps, performed or planned', examples: IMPORTS })
