/** Text about the run's memory, appended to each memory tool's description. */

import type { OfferedTo } from './tool.ts'

export const NO_MEMORY =
  "this agent has no memory: neither its file (`memory`) nor the tenant's policy " + 'enables it'

/**
 * Returns a memory tool's description. Returns undefined if the run has no memory, and the tool is
 * not offered.
 */
export function memoryText(description: string, { memory }: OfferedTo): string | undefined {
  if (memory === undefined) return undefined
  const readFolders = memory.read.filter((folder) => folder !== memory.write)
  const more =
    readFolders.length === 0 ? '' : ` You may also read ${readFolders.map(quote).join(', ')}.`
  return (
    `${description} Your memory is the folder ${quote(memory.write)}; a path without a ` +
    `folder refers to it.${more}`
  )
}

const quote = (folder: string): string => `\`${folder}\``
