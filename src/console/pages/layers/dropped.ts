/** Files that were dropped or chosen: whole folders, loose files, and what lies in a zip. */

import { type Source, unwrapped } from './import-plan.ts'
import { filesInZip } from './zip.ts'

const sourceOf = (file: File, path: string): Source => ({
  path,
  size: file.size,
  read: async () => new Uint8Array(await file.arrayBuffer()),
})

/** Must be called while the event of the drop is handled: its items are gone after it. */
export function entriesOf(transfer: DataTransfer): FileSystemEntry[] {
  return [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? [])
}

export async function sourcesOfEntries(
  entries: readonly FileSystemEntry[],
  onCount: (count: number) => void,
): Promise<Source[]> {
  const found: Source[] = []
  const walk = async (entry: FileSystemEntry): Promise<void> => {
    const path = entry.fullPath.replace(/^\//, '')
    if (entry.isFile) {
      const file = await new Promise<File>((resolve, reject) =>
        (entry as FileSystemFileEntry).file(resolve, reject),
      )
      found.push(...(await opened(file, path)))
      onCount(found.length)
      return
    }
    // One call gives a part of a folder only.
    const reader = (entry as FileSystemDirectoryEntry).createReader()
    for (;;) {
      const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
        reader.readEntries(resolve, reject),
      )
      if (some.length === 0) return
      for (const one of some) await walk(one)
    }
  }
  for (const entry of entries) await walk(entry)
  return unwrapped(sorted(found))
}

export async function sourcesOfFiles(files: readonly File[]): Promise<Source[]> {
  const found: Source[] = []
  for (const file of files)
    found.push(...(await opened(file, file.webkitRelativePath || file.name)))
  return unwrapped(sorted(found))
}

/** A zip beside other files of a folder is a file like them. */
async function opened(file: File, path: string): Promise<Source[]> {
  const isZip = /\.zip$/i.test(path) && !path.includes('/')
  return isZip ? filesInZip(file) : [sourceOf(file, path)]
}

const sorted = (sources: readonly Source[]): Source[] =>
  sources.toSorted((one, other) => (one.path < other.path ? -1 : 1))
