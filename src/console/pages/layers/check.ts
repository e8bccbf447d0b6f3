/**
 * Findings of the loader about one file while it is typed: the same parsers that the server and
 * `strata check` have. Findings that need the texts of other files come from the server.
 */

import './buffer.ts'
import * as z from 'zod'
import { compileLayer, parseLayerFile } from '../../../core/config/layer/compile.ts'
import { filesToRead, planLayer } from '../../../core/config/layer/layer.ts'
import { fold } from '../../../core/config/layer/resolve.ts'
import type { LayerKind } from '../../../core/config/types.ts'
import { DEFAULT_POLICY } from '../../../core/policy.ts'
import type { Schemas } from '../../app/api.ts'
import { layerOf } from './paths.ts'

export type Finding = Schemas['Diagnostic']

// The page's policy lets nothing make code of text; zod would try.
z.config({ jitless: true })

const KINDS: Readonly<Record<string, LayerKind>> = { base: 'base', roles: 'role', repos: 'repo' }

/**
 * `known`: the files that lie, or will lie, beside it. A parser that fails here is said as a note; the server
 * reads the file when it is saved.
 */
export function findingsOf(
  path: string,
  text: string,
  known: readonly string[],
): readonly Finding[] {
  try {
    return found(path, text, known)
  } catch (error) {
    const message = `not checked while it is typed: ${String(error)}`
    return [{ code: 'not_checked', severity: 'note', line: null, message, hint: null }]
  }
}

function found(path: string, text: string, known: readonly string[]): readonly Finding[] {
  const layer = layerOf(path)
  if (layer === undefined) return []
  const kind = KINDS[layer.split('/')[0]!] ?? 'base'
  const below = path.slice(layer.length)
  // A file beside a SKILL.md belongs to a skill; alone it would belong to nothing.
  const beside = known.filter((one) => one.startsWith(layer) && one !== path)
  const paths = [below, ...beside.map((one) => one.slice(layer.length))]
  const files = paths.map((one) => ({ path: one, etag: '', size: 0 }))
  const plan = planLayer(kind, layer, files)
  const parsed = filesToRead(plan).some((file) => file.path === below)
    ? parseLayerFile(below, new TextEncoder().encode(text))
    : undefined
  const compiled = compileLayer(plan, (file) => (file.path === below ? parsed : undefined))
  // Servers are judged after merging, as `strata check` does it: one layer, folded alone.
  const { records } = fold({
    builtin: [],
    layers: [compiled],
    run: null,
    secrets: new Set(),
    bindings: new Map(),
    allowStdio: true,
    blocked: () => undefined,
    knowsModel: () => true,
    policy: DEFAULT_POLICY,
    alone: true,
    diagnostics: [],
  })
  return records.filter((one) => one.path === below).flatMap(({ diagnostics }) => diagnostics)
}
