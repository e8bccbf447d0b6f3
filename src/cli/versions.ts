/** `strata versions`: the versions of a file, how one differs from now, and going back to it. */

import { oneLine } from '../lib/visible.ts'
import { clientOf } from './api.ts'
import type { Shape } from './manage.ts'
import { jsonLine } from './run.ts'
import type { Terminal } from './terminal.ts'

interface VersionsAsked extends Shape {
  readonly diff?: string
  readonly rollback?: string
}

/** With `--diff` 0 when the version is what lies there, 1 when it differs. */
export async function versions(
  terminal: Terminal,
  path: string,
  { diff, rollback, json }: VersionsAsked,
): Promise<number> {
  const { files } = clientOf(terminal.env)
  if (rollback !== undefined) {
    const done = await files.rollback({ path, version: rollback })
    terminal.out(json ? jsonLine(done) : oneLine(`${path} is again as in ${rollback}`))
    return 0
  }
  if (diff !== undefined) {
    const found = await files.compare(diff, { path })
    if (json) terminal.out(jsonLine(found))
    const differing = found.files.filter(({ change }) => change !== 'same')
    for (const { text, other_text } of json ? [] : differing)
      for (const line of changesOf(text, other_text)) terminal.out(oneLine(line))
    return differing.length === 0 ? 0 : 1
  }
  for await (const one of files.versions({ path })) {
    const line = [one.created_at, one.version, one.number, one.action.padEnd(8), one.by].join(' ')
    terminal.out(json ? jsonLine(one) : oneLine(line))
  }
  return 0
}

/** Lines of now with `-`, of the version with `+`, without those that both begin and end with. */
function changesOf(then: string | null, now: string | null): readonly string[] {
  if (then === null && now === null) return ['it is no text']
  const [after, before] = [then, now].map((text) => (text === null ? [] : text.split('\n')))
  const most = Math.min(after!.length, before!.length)
  let first = 0
  while (first < most && after![first] === before![first]) first += 1
  let last = 0
  while (last < most - first && after!.at(-1 - last) === before!.at(-1 - last)) last += 1
  return [
    `@@ line ${first + 1}`,
    ...before!.slice(first, before!.length - last).map((line) => `-${line}`),
    ...after!.slice(first, after!.length - last).map((line) => `+${line}`),
  ]
}
