/**
 * Defines the shell port, which runs one command over given files without a network. The shell is
 * built in, or runs in a machine sandbox if the operator allows one.
 */

import type { Outcome } from '../lib/outcome.ts'

/** Shell state that a run keeps between its commands. */
export interface ShellState {
  /** Current folder below the working folder; '' for the working folder. */
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

export interface ShellFile {
  /** Path below the working folder. */
  readonly path: string
  readonly bytes: Uint8Array
}

/** Skills of the run whose files are included. */
export interface ShellSkills {
  /** Folders of the skills below the working folder, which are read-only. */
  readonly folders: readonly string[]
  /** Folder of the last opened skill, `CLAUDE_SKILL_DIR` in commands. */
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
  /** Number of dropped bytes of both outputs. */
  readonly dropped?: number
  /** Sentences for the model: the shell used, and any changes not kept. */
  readonly notes?: readonly string[]
  /** Changed files, in their current versions. */
  readonly changed: readonly ShellFile[]
  readonly removed: readonly string[]
}

/** Sandbox of a deployment's machine, if the operator allows one (`ALLOW_SHELL`). */
export interface MachineSandbox {
  readonly shell: Shell
  readonly processes: Processes
  /** Ends all running processes. */
  close(): Promise<void>
}

/**
 * Long-running sandboxed processes, which are kept in this server's memory and end with the server.
 * `owner` is the starting run's partition; other runs cannot access them. No method throws.
 */
export interface Processes {
  /** Starts a process and returns its ID, or an error. */
  start(owner: string, request: ProcessRequest): Promise<Outcome<string, string>>
  /** Waits up to `waitMs` milliseconds for output or the end. */
  read(
    owner: string,
    id: string,
    waitMs: number,
    signal: AbortSignal,
  ): Promise<Outcome<ProcessRead, ProcessGone>>
  /**
   * Writes to the input of a process; returns the reason if the process has ended or does not read.
   */
  write(owner: string, id: string, input: string): Promise<Outcome<undefined, ProcessGone>>
  /** Kills a process and returns its last output. */
  kill(owner: string, id: string): Promise<Outcome<ProcessRead, ProcessGone>>
  /** Runs that have, or had, processes. */
  owners(): readonly string[]
  /** Ends and removes all processes of a run. */
  end(owner: string): void
}

export interface ProcessRequest extends Omit<ShellRequest, 'timeoutMs'> {
  /** ETags of the files as read, to be returned with the changes. */
  readonly etags: ReadonlyMap<string, string>
}

/** A missing process; `restarted` means that its server no longer runs. */
export interface ProcessGone {
  readonly kind: 'restarted' | 'unknown' | 'ended'
  readonly message: string
}

export interface ProcessRead {
  /** Output since the last read, both streams in order of arrival. */
  readonly output: string
  /** Number of dropped bytes of earlier output. */
  readonly dropped: number
  /** Exit code; null while running. */
  readonly exit_code: number | null
  readonly notes: readonly string[]
  /** Set once, on the first read after the end of the process. */
  readonly ended?: ProcessEnd | undefined
}
export interface ProcessEnd extends Pick<ShellResult, 'changed' | 'removed'> {
  readonly etags: ReadonlyMap<string, string>
}

export interface Shell {
  /**
   * Runs a command within separate time and memory limits. Never throws; a failure is a sentence.
   */
  run(request: ShellRequest, signal: AbortSignal): Promise<Outcome<ShellResult, string>>
}
