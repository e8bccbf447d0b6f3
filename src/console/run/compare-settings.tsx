/** Settings of two runs: what the requests set, and what was in effect. */

import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { api, refetchOffline, type Schemas } from '../data/api.ts'
import { useWords } from '../i18n/words.ts'
import { Loading, Problem } from '../kit/notice.tsx'
import { Plain } from '../text/text.tsx'
import { Equal, Section } from './compare-parts.tsx'
import { isEqual, type Setting, settingsOf } from './settings.ts'

type Run = Schemas['Run']
type Config = Schemas['RunConfig']

interface SettingsProps {
  readonly left: Run
  readonly right: Run
  readonly configs: readonly [Config, Config] | undefined
}

export function SettingsSection({ left, right, configs }: SettingsProps) {
  const words = useWords()
  const [isWhole, setWhole] = useState(false)
  const inputs = useQueries({
    queries: [left.id, right.id].map((id) => ({
      queryKey: ['run', id, 'input'],
      queryFn: () => api.runs.input(id),
      refetchInterval: refetchOffline,
    })),
  })
  const failed = inputs.find(({ error }) => error)
  const [ofLeft, ofRight] = inputs.map(({ data }) => data)
  const groups = [
    ...(ofLeft && ofRight
      ? [['request', settingsOf(requestOf(ofLeft), requestOf(ofRight))] as const]
      : []),
    ...(configs
      ? [['given', settingsOf(effectiveOf(configs[0]), effectiveOf(configs[1]))] as const]
      : []),
  ]
  const all = groups.flatMap(([, settings]) => settings)
  const equalCount = all.filter(isEqual).length
  return (
    <Section title={words('compare.settings')}>
      <Problem error={failed?.error} onRetry={() => void failed?.refetch()} />
      {groups.length === 0 && !failed && <Loading />}
      {all.length > 0 && equalCount === all.length && <Equal text="compare.settings.same" />}
      {groups.map(([name, settings]) => (
        <SettingsTable
          key={name}
          title={words(`compare.settings.${name}`)}
          settings={isWhole ? settings : settings.filter((setting) => !isEqual(setting))}
        />
      ))}
      {equalCount > 0 && (
        <button
          type="button"
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
          className="min-h-6 justify-self-start text-xs text-accent hover:underline"
        >
          {isWhole ? words('chat.less') : words('compare.settings.equal', { n: equalCount })}
        </button>
      )}
      <Omitted inputs={[ofLeft, ofRight]} />
    </Section>
  )
}

/** The input is compared with the messages of the first step. */
function requestOf({ request }: Schemas['RunInputCopy']): object {
  const { input: _, ...settings } = request
  return settings
}

/** The prompt is compared as text, so its digest is not a setting. */
const effectiveOf = (config: Config): object => {
  const { body_digest: _, ...agent } = config.agent
  const { model, window, fallbacks, model_settings, limits, structured_output } = config
  const { layers, missing_tools, missing_servers, warnings } = config
  return {
    ...{ agent, model, window, fallbacks, model_settings, limits, structured_output },
    layers: layers?.map(({ layer }) => layer),
    ...{ missing_tools, missing_servers, warnings },
  }
}

interface TableProps {
  readonly title: string
  readonly settings: readonly Setting[]
}

function SettingsTable({ title, settings }: TableProps) {
  const words = useWords()
  if (settings.length === 0) return null
  return (
    <div className="overflow-hidden rounded-lg border border-line">
      <table className="w-full table-fixed text-sm">
        <caption className="border-b border-line bg-subtle px-3 py-1 text-left text-xs text-text-2">
          {title}
        </caption>
        <thead className="sr-only">
          <tr>
            <th>{words('compare.settings.name')}</th>
            <th>{words('compare.left')}</th>
            <th>{words('compare.right')}</th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {settings.map((setting) => (
            <tr key={setting.name} className="align-top">
              <th
                scope="row"
                className="w-1/3 px-3 py-1.5 text-left font-mono text-xs leading-5 font-normal [overflow-wrap:anywhere]"
              >
                <Plain text={setting.name} />
              </th>
              <Value text={setting.left} sign={isEqual(setting) ? '' : '−'} look="bg-removed" />
              <Value text={setting.right} sign={isEqual(setting) ? '' : '+'} look="bg-added" />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface ValueProps {
  readonly text: string | undefined
  /** Sign of the side; an empty text if both sides are equal. */
  readonly sign: string
  readonly look: string
}

function Value({ text, sign, look }: ValueProps) {
  const words = useWords()
  return (
    <td
      className={`px-3 py-1.5 font-mono text-xs leading-5 [overflow-wrap:anywhere] ${sign === '' ? '' : look}`}
    >
      {sign !== '' && <span className="pr-2 select-none">{sign}</span>}
      {text === undefined ? (
        <span className="font-sans text-text-2">{words('compare.settings.unset')}</span>
      ) : (
        <Plain text={text} />
      )}
    </td>
  )
}

type Inputs = readonly (Schemas['RunInputCopy'] | undefined)[]

/** Shows what the requests lack, which is therefore not compared. */
function Omitted({ inputs }: { readonly inputs: Inputs }) {
  const words = useWords()
  const omitted = inputs.flatMap((input, side) =>
    (input?.omitted ?? []).map((entry) => ({ ...entry, side: side === 0 ? '−' : '+' })),
  )
  if (omitted.length === 0) return null
  return (
    <div className="rounded-md bg-asks-tint px-3 py-2 text-xs text-asks">
      <p>{words('compare.settings.omitted')}</p>
      <ul>
        {omitted.map(({ side, pointer, reason }) => (
          <li key={`${side} ${pointer}`}>
            {side}{' '}
            <code className="font-mono">
              <Plain text={pointer} />
            </code>{' '}
            {words(`run.omitted.${reason}`)}
          </li>
        ))}
      </ul>
    </div>
  )
}
