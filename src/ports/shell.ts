/** The shell port: one command over files that are handed in, without a network or a machine. */

import type { Outcome } from '../lib/outcome.ts'

/** Lives on for the run between its commands. */
export interface ShellState {
  /** Below the working folder, '' for itself. */
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

export interface ShellFile {
  /** Below the working folder. */
  readonly path: string
  readonly bytes: Uint8Array
}

export interface ShellRequest extends ShellState {
  readonly command: string
  readonly files: readonly ShellFile[]
  readonly timeoutMs: number
}

export interface ShellResult extends ShellState {
  readonly exit_code: number
  readonly stdout: string
  readonly stderr: string
  /** Files as they are now, where they differ from what was handed in. */
  readonly changed: readonly ShellFile[]
  readonly removed: readonly string[]
}

export interface Shell {
  /** Within bounds of time and memory of its own. Never throws; a failure is a sentence. */
  run(request: ShellRequest, signal: AbortSignal): Promise<Outcome<ShellResult, string>>
}
