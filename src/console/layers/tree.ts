/** Tree of the files of a layer, as rows: folders first, and below open folders their content. */

export interface FileEntry {
  readonly path: string
  /** ETag without quotes; empty for a file that is not stored. */
  readonly etag: string
  /** Size in bytes; null if it is not known. */
  readonly size: number | null
}

export interface TreeRow {
  readonly path: string
  readonly name: string
  readonly depth: number
  /** Whether a folder shows its content; absent for a file. */
  readonly isOpen?: boolean
}

interface Folder {
  readonly folders: Map<string, Folder>
  readonly files: string[]
}

const emptyFolder = (): Folder => ({ folders: new Map(), files: [] })

/** Returns the folders of some paths below a prefix. */
export function treeOf(paths: Iterable<string>, prefix: string): Folder {
  const root = emptyFolder()
  for (const path of paths) {
    if (!path.startsWith(prefix)) continue
    const names = path.slice(prefix.length).split('/')
    let folder = root
    for (const name of names.slice(0, -1)) {
      const inner = folder.folders.get(name) ?? emptyFolder()
      folder.folders.set(name, inner)
      folder = inner
    }
    folder.files.push(path)
  }
  return root
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Returns the visible rows. `isOpen` judges a folder by its path without a trailing slash. */
export function rowsOf(
  root: Folder,
  prefix: string,
  isOpen: (folder: string) => boolean,
): readonly TreeRow[] {
  const rows: TreeRow[] = []
  const add = ({ folders, files }: Folder, above: string, depth: number): void => {
    for (const name of [...folders.keys()].toSorted(compare)) {
      const path = `${above}${name}`
      const open = isOpen(path)
      rows.push({ path, name, depth, isOpen: open })
      if (open) add(folders.get(name)!, `${path}/`, depth + 1)
    }
    for (const path of files.toSorted(compare))
      rows.push({ path, name: path.slice(above.length), depth })
  }
  add(root, prefix, 0)
  return rows
}

/** Returns the folders above a path, outermost first. */
export function foldersAbove(path: string): readonly string[] {
  const names = path.split('/')
  return names.slice(0, -1).map((_, index) => names.slice(0, index + 1).join('/'))
}

/** Number of files up to which all folders are open at first. */
const FEW_FILES = 60

/** Returns the folders that are open at first: all of a small layer, else those of definitions. */
export function firstFolders(paths: readonly string[], prefix: string): ReadonlySet<string> {
  const isFew = paths.length <= FEW_FILES
  const ofDefinitions = `${prefix}.agents`
  const folders = paths.flatMap(foldersAbove)
  return new Set(
    folders.filter(
      (folder) => isFew || folder === ofDefinitions || folder === `${ofDefinitions}/agents`,
    ),
  )
}

/** Index of the row that a key moves to; undefined if the key does not move. */
export function movedTo(rows: readonly TreeRow[], at: number, key: string): number | undefined {
  const last = rows.length - 1
  const row = rows[at]
  if (key === 'ArrowDown') return Math.min(at + 1, last)
  if (key === 'ArrowUp') return Math.max(at - 1, 0)
  if (key === 'Home') return 0
  if (key === 'End') return last
  if (key === 'ArrowRight' && row?.isOpen === true) return Math.min(at + 1, last)
  if (key !== 'ArrowLeft' || row === undefined || row.isOpen === true) return undefined
  const above = foldersAbove(row.path).at(-1)
  const parent = rows.findIndex(({ path }) => path === above)
  return parent < 0 ? undefined : parent
}
