/** Schema of the tenant's layers, as the list of layers returns them. */

import * as z from 'zod'
import { LIMITS } from '../../../core/limits.ts'
import { LAYERS } from '../shared/examples.ts'
import { count, layer } from '../shared/words.ts'

export const Layer = z
  .strictObject({
    layer: layer(),
    kind: z
      .enum(['base', 'role', 'repo'])
      .describe(
        'Layer kind. `base`: the prefix `base/`. `role`: a folder in `roles/`. `repo`: any other ' +
          'prefix, for `repo_dir` or `base_dir`',
      ),
    files: count(
      'Number of counted files. With the scope `config:raw`, all files count; otherwise, files of ' +
        'agents, skills, servers, and schedules',
    ),
    more_files: z
      .boolean()
      .describe(
        'Whether the layer may have more files, because counting stopped after ' +
          `${LIMITS.layer_files_counted}`,
      ),
    valid: z
      .boolean()
      .describe(
        'Whether the layer has a `.agents/config.toml` or a file in a folder of agents, skills, ' +
          "or schedules, by names alone. A run does not use a role's layer that has none; " +
          '`POST /v1/resolve` returns whether the files load',
      ),
  })
  .meta({ id: 'Layer', description: 'A key prefix with files', examples: LAYERS })
