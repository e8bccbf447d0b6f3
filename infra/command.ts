/** What the command line of a development server may say. */

/** Throws a sentence when it is no port; 0 means any free one. */
export function portOf(text: string): number {
  const port = Number(text)
  if (text.trim() !== '' && Number.isInteger(port) && port >= 0 && port <= 65_535) return port
  throw new Error(`--port takes a whole number from 0 to 65535, not ${text}`)
}

/** What a command line says, or its sentence and the end. */
export function understood<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    console.error((error as Error).message)
    process.exit(2)
  }
}
