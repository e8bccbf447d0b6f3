/** Header of a turn: the agent, and the run's metrics, which update while the run is live. */

import { useWords } from '../i18n/words.ts'
import { Icon } from '../kit/icons.tsx'
import { Menu, MenuItem } from '../kit/menu.tsx'
import { Status } from '../kit/status.tsx'
import { costOf, endsRun, type RunView, type Warning } from '../log/shape.ts'
import { amount, dollars, duration, timeOfDay } from '../text/format.ts'
import { Plain } from '../text/text.tsx'
import type { TurnActions } from './context.ts'
import { Since } from './elapsed-time.tsx'
import { useUnfolded } from './open-sections.ts'
import { stateOfRun } from './subagents.ts'

interface HeadProps {
  readonly view: RunView
  /** Warnings of the turn's run that no earlier turn has shown. */
  readonly warnings: readonly Warning[]
  readonly actions: TurnActions | undefined
}

export function TurnHead({ view, warnings, actions }: HeadProps) {
  const { agent = '', model, started_at } = view
  return (
    <div className="grid gap-1.5 pt-1">
      <div className="flex items-center gap-2 text-xs text-text-3">
        <p className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2">
          <span className="text-sm font-semibold text-text">
            <Plain text={agent} />
          </span>
          {started_at && <span>{timeOfDay(started_at)}</span>}
          <RunNumbers view={view} />
          {model && (
            <span className="ml-auto hidden truncate font-mono sm:inline">
              <Plain text={model} />
            </span>
          )}
        </p>
        {actions && <TurnMenu actions={actions} />}
      </div>
      <Warnings run={view.id} warnings={warnings} />
    </div>
  )
}

function TurnMenu({ actions: { onRetry, onFork, onEdit } }: { readonly actions: TurnActions }) {
  const words = useWords()
  if (!(onRetry || onFork || onEdit)) return null
  return (
    <span className="-my-1 flex">
      <Menu icon="dots" label={words('chat.turn.menu')}>
        {onRetry && (
          <MenuItem hint={words('chat.retry.hint')} onChoose={onRetry}>
            {words('chat.retry')}
          </MenuItem>
        )}
        {onFork && (
          <MenuItem hint={words('chat.fork.turn.hint')} onChoose={onFork}>
            {words('chat.fork.turn')}
          </MenuItem>
        )}
        {onEdit && (
          <MenuItem hint={words('chat.fork.edit.hint')} onChoose={onEdit}>
            {words('chat.fork.edit')}
          </MenuItem>
        )}
      </Menu>
    </span>
  )
}

/** Shows a run's status, steps, time, tokens, and price, separated by dots. */
export function RunNumbers({ view }: { readonly view: RunView }) {
  const words = useWords()
  const { status, steps, usage, price, started_at, ended_at } = view
  const cost = costOf(usage, price)
  const tokens = usage.input_tokens + usage.output_tokens
  const time = started_at && ended_at ? Date.parse(ended_at) - Date.parse(started_at) : undefined
  return (
    <>
      {status !== 'completed' && <Status state={stateOfRun(view)} />}
      <span>{words('chat.steps', { n: steps })}</span>
      {time !== undefined && <span>{duration(time)}</span>}
      {started_at && !endsRun(status) && <Since at={started_at} />}
      {tokens > 0 && <span>{words('chat.tokens', { n: amount(tokens) })}</span>}
      {cost !== undefined && <span>{dollars(cost)}</span>}
    </>
  )
}

interface WarningsProps {
  readonly run: string
  readonly warnings: readonly Warning[]
}

/** Shows a run's warnings: their number and the first warning, or all warnings when expanded. */
export function Warnings({ run, warnings }: WarningsProps) {
  const words = useWords()
  const [isUnfolded, toggle] = useUnfolded(`${run}-warnings`)
  if (warnings.length === 0) return null
  return (
    <div className="rounded-md bg-asks-tint px-3 py-1.5 text-xs text-asks">
      <button
        type="button"
        aria-expanded={isUnfolded}
        onClick={toggle}
        className="flex w-full items-center gap-1.5 text-left font-medium"
      >
        <Icon name="warn" size={14} />
        {words('chat.warnings', { n: warnings.length })}
        {!isUnfolded && (
          <span className="min-w-0 truncate font-normal">
            <Plain text={warnings[0]?.message ?? ''} />
          </span>
        )}
        <span className={`ml-auto ${isUnfolded ? 'rotate-90' : ''}`}>
          <Icon name="right" size={14} />
        </span>
      </button>
      {isUnfolded && (
        <ul className="grid gap-1.5 pt-1.5 [overflow-wrap:anywhere]">
          {warnings.map(({ code, message, hint }) => (
            <li key={`${code} ${message}`}>
              <Plain text={hint ? `${message} ${hint}` : message} />{' '}
              <code className="font-mono">{code}</code>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
