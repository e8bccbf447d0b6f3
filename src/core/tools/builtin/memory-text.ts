/** Words about its memory that a model reads behind the description of each of these tools. */

import type { OfferedTo } from './tool.ts'

export const NO_MEMORY =
  "this agent has no memory: neither its file (`memory`) nor the tenant's policy " + 'enables one'

/** Undefined: the run has none, and the tool is not offered. */
export function memoryText(description: string, { memory }: OfferedTo): string | undefined {
  if (memory === undefined) return undefined
  const readFolders = memory.read.filter((folder) => folder !== memory.write)
  const more =
    readFolders.length === 0 ? '' : ` You may also read ${readFolders.map(quote).join(', ')}.`
  return (
    `${description} Your own memory is the folder ${quote(memory.write)}; a path without ` +
    `a folder is in there.${more}`
  )
}

const quote = (folder: string): string => `\`${folder}\``
