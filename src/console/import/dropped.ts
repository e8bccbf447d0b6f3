/** Files that are dropped on the page or chosen in a dialog: folders, files, and zip archives. */

import type { Bounds, Source } from './sources.ts'

const sourceOf = (file: File, path: string): Source => ({
  path,
  size: file.size,
  read: async () => new Uint8Array(await file.arrayBuffer()),
})

/** Returns what was dropped. Call it while the drop event is handled; later the items are gone. */
export const entriesOf = (transfer: DataTransfer): FileSystemEntry[] =>
  [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? [])

/** Returns all files of dropped entries; `onCount` receives the number of files read so far. */
export async function sourcesOfEntries(
  entries: readonly FileSystemEntry[],
  bounds: Bounds,
  onCount: (count: number) => void,
): Promise<Source[]> {
  const sources: Source[] = []
  const walk = async (entry: FileSystemEntry): Promise<void> => {
    if (!entry.isFile) return walkFolder(entry as FileSystemDirectoryEntry)
    const file = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject),
    )
    sources.push(...(await opened(file, entry.fullPath.replace(/^\//, ''), bounds)))
    onCount(sources.length)
  }
  const walkFolder = async (folder: FileSystemDirectoryEntry): Promise<void> => {
    if (/^(?:\.git|node_modules)$/.test(folder.name)) return
    const reader = folder.createReader()
    // One call returns only some of the entries.
    for (;;) {
      const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
        reader.readEntries(resolve, reject),
      )
      if (some.length === 0) return
      for (const entry of some) await walk(entry)
    }
  }
  for (const entry of entries) await walk(entry)
  return sources
}

export async function sourcesOfFiles(files: readonly File[], bounds: Bounds): Promise<Source[]> {
  const sources: Source[] = []
  for (const file of files)
    sources.push(...(await opened(file, file.webkitRelativePath || file.name, bounds)))
  return sources
}

/** Unpacks an archive that was chosen itself; an archive within a folder is a file of the folder. */
async function opened(file: File, path: string, bounds: Bounds): Promise<readonly Source[]> {
  if (path.includes('/') || !/\.zip$/i.test(path)) return [sourceOf(file, path)]
  const { ArchiveError, filesOf } = await import('./archive.ts')
  // A compressed archive larger than its largest contents is not read.
  if (file.size > 2 * bounds.bytes) throw new ArchiveError('import.zip.large')
  return filesOf(new Uint8Array(await file.arrayBuffer()), bounds)
}
