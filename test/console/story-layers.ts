/** Layers of a depot, for pictures: a finding, versions, and a layout of another program. */

import { createClient } from '../../src/client/index.ts'
import type { Server } from '../support/launch.ts'

const LAYER = 'repos/depot/'

const packer = (tools: string, rule: string): string =>
  [
    ...['---', 'name: packer', 'description: Packs the parcels of the day.', `tools: ${tools}`],
    ...['---', 'You pack one parcel at a time.', rule, ''],
  ].join('\n')

const FILES: Readonly<Record<string, string>> = {
  '.agents/agents/loader.md':
    '---\nname: loader\ndescription: Loads the van.\ntools: file_read, desk.ordr\nmax_steps: many\n---\nLoad the van.\n',
  '.agents/skills/weigh/SKILL.md':
    '---\nname: weigh\ndescription: Weighs a parcel.\n---\nWeigh it twice.\n',
  '.agents/skills/weigh/table.csv': 'size,grams\nS,500\nM,2000\n',
  '.goclaw/mcp.json': '{"mcpServers": {"printer": {"url": "https://printer.depot.example/mcp"}}}',
  '.goclaw/skills/labels/SKILL.md':
    '---\nname: labels\ndescription: Prints labels of the depot.\n---\nPrint one label.\n',
  'docs/routes.md': '# Routes\n\nThe van leaves at 14:00.\n',
}

/** Fills a layer. Returns the paths of pages below /console by their names. */
export async function tellLayers({ url, key }: Server): Promise<Readonly<Record<string, string>>> {
  const api = createClient({ url, apiKey: key })
  for (const [path, text] of Object.entries(FILES)) await api.files.put(LAYER + path, text)
  const options = { query: { layer: LAYER } }
  const versions = [
    packer('file_read', 'Ask before you pack glass.'),
    packer('file_read, todo', 'Ask before you pack glass or batteries.'),
  ]
  for (const agent_md of versions) await api.agents.put('packer', { agent_md }, options)
  const { data } = await api.agents.versions('packer', { layer: LAYER })
  const agent = (name: string) => `file=${encodeURIComponent(`${LAYER}.agents/agents/${name}.md`)}`
  return {
    layers: 'layers?layer=repos%2Fdepot%2F',
    'layers-file': `layers?${agent('loader')}&line=4`,
    'layers-findings': `layers?${agent('loader')}&pane=findings`,
    'layers-versions': `layers?${agent('packer')}&pane=versions`,
    'layers-version': `layers?${agent('packer')}&pane=versions&v=${data.at(-1)?.version}`,
    'layers-packer': `layers?${agent('packer')}`,
    'layers-uses': `layers?${agent('packer')}&pane=uses`,
    'layers-new': 'layers?layer=repos%2Fdepot%2F&new=agent',
    'layers-migrate': 'layers?layer=repos%2Fdepot%2F&pane=migrate',
  }
}
