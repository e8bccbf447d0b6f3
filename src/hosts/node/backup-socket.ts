/**
 * Serves `strata backup` on a socket: a running server copies its database, which no other process
 * can open (PROTOCOL.md rule 37). The socket is in the data folder and accessible only to its
 * owner. The request is one line that contains the path of the new file; the response is one line.
 * Deletes of bodies are deferred until the client disconnects.
 */

import { chmodSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { hasCode } from './folders.ts'

const SOCKET = 'backup.sock'

export interface BackupSource {
  copyDatabase(path: string): Promise<void>
  /** Defers deletes of message bodies until the returned function is called. */
  deferDeletes(): () => Promise<void>
}

export interface BackupSocket {
  /** Warnings that state why the socket is unavailable; the server then runs without it. */
  readonly warnings: readonly string[]
  close(): void
}

interface Answer {
  /** Time at which the database was copied, in milliseconds since 1970. */
  readonly at?: number
  readonly error?: string
}

/**
 * Listens for backup requests. The caller must own the data lock (see lock.ts); an existing socket
 * then belongs to a dead process.
 */
export async function listenForBackups(
  dataDir: string,
  source: BackupSource,
  onError: (where: string, error: unknown) => void,
): Promise<BackupSocket> {
  const path = join(dataDir, SOCKET)
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    socket.on('error', (error) => onError('backup', error))
    serveBackup(socket, source).catch((error) => onError('backup', error))
  })
  try {
    rmSync(path, { force: true })
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(path, resolve)
    })
    chmodSync(path, 0o600)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const warning = `\`strata backup\` works only while this server is stopped: ${path}: ${reason}`
    return { warnings: [warning], close() {} }
  }
  server.unref()
  return {
    warnings: [],
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

async function serveBackup(socket: Socket, source: BackupSource): Promise<void> {
  const hungUp = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  const path = await firstLine(socket)
  if (path === undefined) return
  const release = source.deferDeletes()
  try {
    const answer = await copied(source, path)
    if (!socket.destroyed) socket.write(`${JSON.stringify(answer)}\n`)
    await hungUp
  } finally {
    await release()
  }
}

async function copied(source: BackupSource, path: string): Promise<Answer> {
  try {
    await source.copyDatabase(path)
    // The time is taken after the copy, because commits during the copy are also included.
    return { at: Date.now() }
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) }
  }
}

/** Reads the first line of a request; undefined if the client disconnects before its end. */
function firstLine(socket: Socket): Promise<string | undefined> {
  return new Promise((resolve) => {
    let text = ''
    socket.setEncoding('utf8')
    // The socket is read to the end, because a paused socket does not detect a disconnect.
    socket.on('data', (chunk) => {
      text += chunk
      const end = text.indexOf('\n')
      if (end >= 0) resolve(text.slice(0, end))
    })
    socket.once('close', () => resolve(undefined))
  })
}

export interface CopiedDatabase {
  /** Time at which the database was copied, in milliseconds since 1970. */
  readonly at: number
  /** Ends the deferral of deletes by the server. */
  release(): void
}

/**
 * Requests a backup from the running server; returns undefined if no server is listening. Throws a
 * one-line error if the server could not copy the database.
 */
export async function askForBackup(
  dataDir: string,
  path: string,
): Promise<CopiedDatabase | undefined> {
  const socket = connect(join(dataDir, SOCKET))
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve)
      socket.once('error', reject)
    })
  } catch (error) {
    if (hasCode(error, ['ENOENT', 'ECONNREFUSED', 'ENOTSOCK', 'EINVAL'])) return undefined
    throw error
  }
  socket.on('error', () => {})
  socket.write(`${path}\n`)
  const line = await firstLine(socket)
  if (line === undefined)
    throw new Error('The server stopped before its database was copied. Retry the backup.')
  const { at, error } = JSON.parse(line) as Answer
  if (at === undefined) {
    socket.destroy()
    throw new Error(`The server could not copy its database: ${error}.`)
  }
  return { at, release: () => void socket.destroy() }
}
