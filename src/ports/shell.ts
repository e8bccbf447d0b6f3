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

/** Skills of the run whose files are among those that are handed in. */
export interface ShellSkills {
  /** Their folders, below the working folder: nothing in them can be changed. */
  readonly folders: readonly string[]
  /** The folder of the one that was opened last: `CLAUDE_SKILL_DIR` of commands. */
  readonly opened?: string | undefined
}

export interface ShellRequest extends ShellState {
  readonly command: string
  readonly files: readonly ShellFile[]
  readonly skills?: ShellSkills | undefined
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
export interface MachineSandbox {
  readonly shell: Shell
  readonly processes: Processes
  /** Ends all that lives. */
  close(): Promise<void>
}

/**
 * Long-running processes in sandboxes: they live in the memory of this server and die with it.
 * `owner` is the partition of the run that started one; no other run sees it. Nothing here throws.
 */
export interface Processes {
  /** Its id, or a sentence. */
  start(owner: string, request: ProcessRequest): Promise<Outcome<string, string>>
  /** After `waitMs` at the latest, sooner when there is output or it has ended. */
  read(
    owner: string,
    id: string,
    waitMs: number,
    signal: AbortSignal,
  ): Promise<Outcome<ProcessRead, ProcessGone>>
  /** Why nothing was written: it has ended, or does not read. */
  write(owner: string, id: string, input: string): Promise<Outcome<undefined, ProcessGone>>
  /** Ends it; what it printed last. */
  kill(owner: string, id: string): Promise<Outcome<ProcessRead, ProcessGone>>
  /** Runs that have processes, or have had some. */
  owners(): readonly string[]
  /** Ends all of a run and forgets them. */
  end(owner: string): void
}

export interface ProcessRequest extends Omit<ShellRequest, 'timeoutMs'> {
  /** ETags of the files as they were read, to be returned with the changes. */
  readonly etags: ReadonlyMap<string, string>
}

/** `restarted`: it belonged to a server that is no more. */
export interface ProcessGone {
  readonly kind: 'restarted' | 'unknown' | 'ended'
  readonly message: string
}

export interface ProcessRead {
  /** Since the last read, both outputs in the order in which they came. */
  readonly output: string
  /** Bytes of it that came before and were not kept. */
  readonly dropped: number
  /** Null: it lives. */
  readonly exit_code: number | null
  readonly notes: readonly string[]
  /** Once, when its end is first seen. */
  readonly ended?: ProcessEnd | undefined
}
export interface ProcessEnd extends Pick<ShellResult, 'changed' | 'removed'> {
  readonly etags: ReadonlyMap<string, string>
}

export interface Shell {
  /** Within bounds of time and memory of its own. Never throws; a failure is a sentence. */
  run(request: ShellRequest, signal: AbortSignal): Promise<Outcome<ShellResult, string>>
}
