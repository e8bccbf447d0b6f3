/**
 * The shell port: one command over files that are handed in, without a network: in a shell that is
 * a program of ours, or in a sandbox of the machine where its operator allows one.
 */

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
  /** Bytes of the two outputs together that came and were not kept. */
  readonly dropped?: number
  /** Sentences for the model: which shell it was, what could not be kept. */
  readonly notes?: readonly string[]
  /** Files as they are now, where they differ from what was handed in. */
  readonly changed: readonly ShellFile[]
  readonly removed: readonly string[]
}

/** Offered by the machine of a deployment where its operator allows it (`ALLOW_SHELL`). */
export interface RealHands {
  readonly shell: Shell
}

export interface Shell {
  /** Within bounds of time and memory of its own. Never throws; a failure is a sentence. */
  run(request: ShellRequest, signal: AbortSignal): Promise<Outcome<ShellResult, string>>
}
