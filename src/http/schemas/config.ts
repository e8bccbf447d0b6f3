/** What layers resolve to, as the API shows it. DESIGN sections 2 and 3. */

import * as z from 'zod'
import { selectionShape } from './runs.ts'

export const ResolveInput = z.strictObject(selectionShape).meta({ id: 'ResolveInput' })

export const Diagnostic = z
  .strictObject({
    code: z.string(),
    severity: z.enum(['note', 'warning', 'error']),
    line: z.int().nullable(),
    message: z.string(),
    hint: z.string().nullable(),
  })
  .meta({ id: 'Diagnostic' })

export const FileRecord = z
  .strictObject({
    layer: z.string(),
    path: z.string(),
    kind: z.enum(['agent', 'skill', 'config', 'other']),
    id: z.string().nullable(),
    status: z.enum(['loaded', 'loaded_with_warnings', 'rejected', 'ignored']),
    diagnostics: z.array(Diagnostic),
  })
  .meta({ id: 'FileRecord' })

const Origin = z
  .strictObject({
    kind: z.enum(['builtin', 'base', 'role', 'repo', 'run']),
    layer: z.string(),
    key: z.string(),
    etag: z.string(),
    shadows: z.array(z.strictObject({ layer: z.string(), key: z.string() })),
  })
  .meta({ id: 'Origin' })

const Agent = z
  .looseObject({
    id: z.string(),
    display_name: z.string(),
    description: z.string(),
    tools: z.array(z.string()).nullable(),
    model: z.string().nullable(),
    visibility: z.enum(['listed', 'user-facing', 'internal']),
    system_prompt: z.string(),
    origin: Origin,
  })
  .meta({ id: 'Agent' })

const Skill = z
  .looseObject({
    id: z.string(),
    description: z.string(),
    enabled: z.boolean(),
    available: z.boolean(),
    reason: z.string().nullable(),
    origin: Origin,
  })
  .meta({ id: 'Skill' })

const Server = z
  .looseObject({
    name: z.string(),
    transport: z.enum(['stdio', 'http', 'sse']),
    enabled: z.boolean(),
    env: z.record(z.string(), z.string()).describe('Values are redacted'),
    http_headers: z.record(z.string(), z.string()).describe('Values are redacted'),
    origin: Origin,
  })
  .meta({ id: 'Server' })

export const Resolved = z
  .strictObject({
    agents: z.array(Agent),
    skills: z.array(Skill),
    servers: z.array(Server),
    unavailable: z.array(
      z.strictObject({ name: z.string(), code: z.string(), message: z.string() }),
    ),
    records: z.array(FileRecord),
    diagnostics: z.array(Diagnostic),
    missing_secrets: z.array(z.strictObject({ server: z.string(), name: z.string() })),
    layers: z.array(z.strictObject({ kind: z.string(), layer: z.string() })),
    digest: z.string(),
  })
  .meta({ id: 'Resolved' })

const Digest = z.strictObject({ digest: z.string().regex(/^[0-9a-f]{64}$/) })
const Side = z.union([Digest, ResolveInput], {
  error: 'A side is {digest} with 64 hex digits, or the input of a resolve.',
})
export const DiffInput = z.strictObject({ left: Side, right: Side }).meta({ id: 'DiffInput' })

export const Diff = z
  .strictObject({
    left: z.string(),
    right: z.string(),
    differences: z.array(
      z.strictObject({
        kind: z.enum(['agent', 'skill', 'server']),
        id: z.string(),
        change: z.enum(['added', 'removed', 'changed']),
        fields: z.array(z.string()),
      }),
    ),
  })
  .meta({ id: 'Diff' })

export const MigrateInput = z
  .strictObject({
    layer: z.string().max(512).default('base/'),
    dry_run: z.boolean().default(true),
  })
  .meta({ id: 'MigrateInput' })

export const Migration = z
  .strictObject({
    layer: z.string(),
    dry_run: z.boolean(),
    steps: z.array(
      z.strictObject({
        action: z.enum(['write', 'move', 'delete', 'skip']),
        path: z.string(),
        from: z.string().optional(),
        content: z.string().optional(),
        reason: z.string().optional(),
        diagnostics: z.array(Diagnostic).optional(),
      }),
    ),
  })
  .meta({ id: 'Migration' })
