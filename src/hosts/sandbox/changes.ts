/**
 * Compares the files after a shell command with the original files, within the command's limits.
 */

import { LIMITS } from '../../core/limits.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import type { ShellFile, ShellResult } from '../../ports/shell.ts'

export interface Changes {
  /**
   * Adds a file that exists after the command and retains its bytes; fails with the reason if no
   * change can be kept.
   */
  found(path: string, bytes: Uint8Array): Outcome<undefined, string>
  /** Returns all file changes; original files that were not added count as removed. */
  all(): Pick<ShellResult, 'changed' | 'removed'>
}

export function changesFrom(original: readonly ShellFile[]): Changes {
  const knownBytes = new Map(original.map(({ path, bytes }) => [path, bytes]))
  const changed: ShellFile[] = []
  let total = 0
  return {
    found(path, bytes) {
      const was = knownBytes.get(path)
      knownBytes.delete(path)
      if (was && isEqual(was, bytes)) return ok(undefined)
      total += bytes.length
      changed.push({ path, bytes })
      if (changed.length > LIMITS.shell_files) return fail(TOO_MANY)
      return total > LIMITS.shell_bytes ? fail(TOO_MUCH) : ok(undefined)
    },
    all: () => ({ changed, removed: [...knownBytes.keys()] }),
  }
}

const TOO_MANY = `it created more than ${LIMITS.shell_files} files; none was stored`
export const TOO_MUCH = `it wrote more than ${LIMITS.shell_bytes} bytes; nothing was stored`

function isEqual(bytes: Uint8Array, other: Uint8Array): boolean {
  if (bytes.length !== other.length) return false
  // Indexed loop, because a callback per byte would dominate the cost of a small command.
  for (let at = 0; at < bytes.length; at += 1) if (bytes[at] !== other[at]) return false
  return true
}
