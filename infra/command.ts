/** Command lines of development servers. */

/** Throws a sentence when it is no port; 0 means any free one. */
export function portOf(text: string): number {
  const port = Number(text)
  if (text.trim() !== '' && Number.isInteger(port) && port >= 0 && port <= 65_535) return port
  throw new Error(`--port takes a whole number from 0 to 65535, not ${text}`)
}

/** Parses a command line, or prints the error and exits. */
export function understood<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    console.error((error as Error).message)
    process.exit(2)
  }
}
