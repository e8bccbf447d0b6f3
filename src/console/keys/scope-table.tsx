/** Scopes of a key as a table with a row for each family. */

import { useWords } from '../i18n/words.ts'
import { Icon } from '../kit/icons.tsx'
import { Plain } from '../text/text.tsx'
import { ACTIONS, type Action, familyRows } from './state.ts'

export function ScopeTable({ scopes }: { readonly scopes: readonly string[] }) {
  const words = useWords()
  return (
    <table className="w-full max-w-md text-sm">
      <caption className="pb-2 text-left font-medium">{words('keys.scopes')}</caption>
      <thead className="text-left text-xs text-text-2">
        <tr className="border-b border-line">
          <th scope="col" className="py-1.5 font-normal">
            {words('keys.family')}
          </th>
          {ACTIONS.map((action) => (
            <th key={action} scope="col" className="w-20 px-2 py-1.5 text-center font-normal">
              {words(`keys.action.${action}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {familyRows(scopes).map(({ family, has, layers }) => (
          <tr key={family} className="border-b border-line">
            <th scope="row" className="py-1.5 text-left font-mono text-xs font-normal">
              {family}
              {layers.length > 0 && (
                <span className="block font-sans text-text-2 [overflow-wrap:anywhere]">
                  {words('keys.layers.limited')} <Plain text={layers.join(', ')} />
                </span>
              )}
            </th>
            {ACTIONS.map((action) => (
              <Cell key={action} has={has[action]} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Cell({ has }: { readonly has: Readonly<Record<Action, boolean | null>>[Action] }) {
  const words = useWords()
  return (
    <td className="px-2 py-1.5 text-center">
      {has === null ? null : has ? (
        <span className="inline-flex text-done">
          <Icon name="check" size={14} />
          <span className="sr-only">{words('keys.granted')}</span>
        </span>
      ) : (
        <span className="text-text-3">
          <span aria-hidden="true">–</span>
          <span className="sr-only">{words('keys.not.granted')}</span>
        </span>
      )}
    </td>
  )
}
