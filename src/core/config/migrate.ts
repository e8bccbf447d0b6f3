/** The older JSON of servers as TOML. Entries that cannot be understood are left out, and said. */

import type { ParsedConfig } from './mcp.ts'
import { parseToml } from './toml.ts'
import { editTable } from './toml-edit.ts'

export function migratedConfig(parsed: ParsedConfig): string {
  let text = ''
  for (const { name, fields } of parsed.servers) {
    const edited = editTable(text, ['mcp_servers', name], { ...fields })
    if (edited.ok && parseToml(edited.value).ok) text = edited.value
  }
  return text
}
