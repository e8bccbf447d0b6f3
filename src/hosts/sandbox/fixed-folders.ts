/** Makes folders of the emulated shell read-only. */

/** File system methods that write, with the positions of their path arguments. */
const WRITES = {
  writeFile: [0],
  appendFile: [0],
  mkdir: [0],
  chmod: [0],
  utimes: [0],
  cp: [1],
  symlink: [1],
  link: [1],
  rm: [0],
  mv: [0, 1],
} as const
/** File system methods that may remove the whole content of a folder. */
const WHOLE_FOLDER: ReadonlySet<string> = new Set(['rm', 'mv'])

// biome-ignore lint/suspicious/noExplicitAny: each of them has parameters of its own.
type Act = (...args: any[]) => Promise<any>
type Files = { -readonly [M in keyof typeof WRITES]: Act }

/**
 * Makes the given folders read-only. Links may bypass this protection; changes made through links
 * are discarded, and the result says so.
 */
export function fixFolders(files: Files, folders: readonly string[]): void {
  const isFixed = (path: string, isWhole: boolean): boolean =>
    folders.some(
      (folder) => `${path}/`.startsWith(`${folder}/`) || (isWhole && folder.startsWith(`${path}/`)),
    )
  for (const [name, places] of Object.entries(WRITES)) {
    const method = name as keyof typeof WRITES
    const act = files[method].bind(files)
    files[method] = async (...args) => {
      for (const place of places) {
        const path = String(args[place])
        if (isFixed(path, WHOLE_FOLDER.has(name)))
          throw new Error(`EROFS: read-only file system, ${name} '${path}'`)
      }
      return act(...args)
    }
  }
}
