/** Switches of skills and servers, which change the layer that defines or disables the entry. */

import { useMutation } from '@tanstack/react-query'
import { api, queries } from '../data/api.ts'
import { useMay } from '../data/session.ts'
import { useWords } from '../i18n/words.ts'
import { type Entry, switchLayerOf } from './entries.ts'
import type { Tab } from './state.ts'
import { RESOLVE } from './use-effective.ts'

interface Change {
  readonly tab: 'skills' | 'servers'
  readonly name: string
  readonly layer: string
  readonly enabled: boolean
}

const perform = async ({ tab, name, layer, enabled }: Change): Promise<{ message: string }> => {
  const options = { query: { layer } }
  return tab === 'skills'
    ? api.skills.update(name, { enabled }, options)
    : api.mcpServers.update(name, { enabled }, options)
}

/** Switches of a tab; undefined for entries that have none, or without the scope. */
export function useSwitches(tab: Tab, layers: readonly string[]) {
  const may = useMay('layers:write')
  const mutation = useMutation({
    mutationFn: perform,
    // The switch shows the new state only when the layers have been resolved again.
    onSuccess: () => queries.invalidateQueries({ queryKey: [RESOLVE] }),
  })
  const hasSwitches = may && (tab === 'skills' || tab === 'servers')
  const { variables, data, error, isPending } = mutation
  return {
    isOffered: hasSwitches,
    /** Change that was made last, with the sentence of the API. */
    last: data && variables && { ...variables, message: data.message },
    error,
    of: (entry: Entry) => {
      const layer = switchLayerOf(entry, layers)
      if (!hasSwitches || layer === null) return undefined
      const enabled = entry.state === 'off'
      const change = { tab, name: entry.name, layer, enabled }
      return {
        layer,
        isBusy: isPending && variables.name === entry.name,
        toggle: () => mutation.mutate(change),
      }
    },
  }
}

export type Switches = ReturnType<typeof useSwitches>

interface Props {
  readonly entry: Entry
  readonly switches: Switches
}

export function Switch({ entry, switches }: Props) {
  const words = useWords()
  const control = switches.of(entry)
  if (!control) return null
  const isOn = entry.state !== 'off'
  const { layer, isBusy, toggle } = control
  return (
    <button
      type="button"
      role="switch"
      aria-checked={isOn}
      aria-label={words('effective.switch', { name: entry.name })}
      aria-busy={isBusy || undefined}
      title={words(isOn ? 'effective.switch.off' : 'effective.switch.on', { layer })}
      disabled={isBusy}
      onClick={toggle}
      className="inline-flex h-7 w-9 shrink-0 items-center disabled:opacity-50 pointer-coarse:h-11 pointer-coarse:w-11"
    >
      <span
        className={`relative h-5 w-9 rounded-full border ${isOn ? 'border-accent bg-accent' : 'border-control bg-canvas'}`}
      >
        <span
          className={`absolute top-0.5 size-3.5 rounded-full ${isOn ? 'right-0.5 bg-on-accent' : 'left-0.5 bg-control'}`}
        />
      </span>
    </button>
  )
}

/** Sentence about the last switch, also if another layer still decides. */
export function LastSwitch({
  last,
  entry,
}: {
  readonly last: Switches['last']
  readonly entry: Entry | undefined
}) {
  const words = useWords()
  if (!last) return null
  const { name, layer, enabled, message } = last
  const isStill = entry !== undefined && (entry.state === 'off') === enabled
  const place = words(enabled ? 'effective.switched.on' : 'effective.switched.off', { name, layer })
  return (
    <p
      role="status"
      className="border-t border-line px-4 py-1.5 text-xs text-text-2 [overflow-wrap:anywhere]"
    >
      {place} {message}{' '}
      {isStill && (
        <span className="text-late">
          {words('effective.switched.still', { reason: entry.reason ?? '–' })}
        </span>
      )}
    </p>
  )
}
