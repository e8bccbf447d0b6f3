/**
 * Defines the shell port, which runs one command on given files without network access. The shell
 * is built in, or runs in a machine sandbox if the operator allows one.
 */

import type { Outcome } from '../lib/outcome.ts'

/** Shell state that a run preserves between its commands. */
export interface ShellState {
  /** Current folder of the shell, relative to the working folder; '' for the working folder. */
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

export interface ShellFile {
  /** File path relative to the working folder. */
  readonly path: string
  readonly bytes: Uint8Array
}

/** Skills of the run whose files are included. */
export interface ShellSkills {
  /** Read-only folders of the skills, relative to the working folder. */
  readonly folders: readonly string[]
  /** Folder of the last opened skill, available to commands as `CLAUDE_SKILL_DIR`. */
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
  /** Number of bytes dropped from both outputs of the command. */
  readonly dropped?: number
  /** Sentences for the model about the shell used and any changes that were discarded. */
  readonly notes?: readonly string[]
  /** Files that the command changed, with their current contents. */
  readonly changed: readonly ShellFile[]
  readonly removed: readonly string[]
}

/** Sandbox of the deployment's machine, if the operator allows one (`ALLOW_SHELL`). */
export interface MachineSandbox {
  readonly shell: Shell
  readonly processes: Processes
  /** Ends all running processes of the sandbox. */
  close(): Promise<void>
}

/**
 * Long-running sandboxed processes, which are kept in this server's memory and end with the server.
 * `owner` is the partition of the run that started the process; other runs cannot access the
 * process. No method throws.
 */
export interface Processes {
  /** Starts a process; returns the process ID, or an error sentence. */
  start(owner: string, request: ProcessRequest): Promise<Outcome<string, string>>
  /**
   * Reads output after waiting up to `waitMs` milliseconds for output or the end of the process.
   */
  read(
    owner: string,
    id: string,
    waitMs: number,
    signal: AbortSignal,
  ): Promise<Outcome<ProcessRead, ProcessGone>>
  /**
   * Writes to a process's input; the failure states whether the process is missing, has ended, or
   * does not read.
   */
  write(owner: string, id: string, input: string): Promise<Outcome<undefined, ProcessGone>>
  /** Kills a process and returns its last output. */
  kill(owner: string, id: string): Promise<Outcome<ProcessRead, ProcessGone>>
  /** Returns the partitions of runs that have, or had, processes. */
  owners(): readonly string[]
  /** Ends and removes all processes of a run. */
  end(owner: string): void
}

export interface ProcessRequest extends Omit<ShellRequest, 'timeoutMs'> {
  /** ETags of the files that were read, returned with the changes for conditional writes. */
  readonly etags: ReadonlyMap<string, string>
}

/** Reason why a process is missing; `restarted` means that the process's server no longer runs. */
export interface ProcessGone {
  readonly kind: 'restarted' | 'unknown' | 'ended'
  readonly message: string
}

export interface ProcessRead {
  /** Output since the last read; both streams are merged in order of arrival. */
  readonly output: string
  /** Number of earlier output bytes that were dropped. */
  readonly dropped: number
  /** Exit code of the process; null while the process runs. */
  readonly exit_code: number | null
  readonly notes: readonly string[]
  /** End of the process, set once, on the first read after the end. */
  readonly ended?: ProcessEnd | undefined
}
export interface ProcessEnd extends Pick<ShellResult, 'changed' | 'removed'> {
  readonly etags: ReadonlyMap<string, string>
}

export interface Shell {
  /**
   * Runs a command within separate time and memory limits. Never throws; a failure is an error
   * sentence.
   */
  run(request: ShellRequest, signal: AbortSignal): Promise<Outcome<ShellResult, string>>
}
