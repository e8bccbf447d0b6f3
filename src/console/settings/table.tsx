/** Table with a search field, whose text is in the URL. */

import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useWords } from '../i18n/words.ts'
import { INPUT } from '../kit/field.tsx'
import { settingsSearch } from './search.ts'

interface SearchProps {
  readonly query: string
  readonly label: string
  /** Number of rows that match, and of all rows. */
  readonly count: number
  readonly total: number
}

export function SearchField({ query, label, count, total }: SearchProps) {
  const words = useWords()
  const navigate = useNavigate()
  return (
    <search className="flex flex-wrap items-center gap-3">
      <input
        id="filter"
        type="search"
        aria-label={label}
        placeholder={label}
        spellCheck={false}
        defaultValue={query}
        onChange={({ target }) =>
          void navigate({
            to: '/settings',
            replace: true,
            search: (search) => settingsSearch({ ...search, q: target.value }),
          })
        }
        className={`${INPUT} w-full sm:w-72`}
      />
      <span role="status" className="text-xs text-text-2">
        {words('settings.count', { n: count, total })}
      </span>
    </search>
  )
}

/** Class of a cell that only wide pages show. */
export const WIDE = 'max-md:hidden'

interface TableProps {
  readonly label: string
  readonly heads: readonly string[]
  /** Indexes of the columns with numbers. */
  readonly numbers?: readonly number[]
  /** Index of the column that narrow pages show inside another one. */
  readonly wide?: number
  readonly children: ReactNode
}

export function Table({ label, heads, numbers = [], wide, children }: TableProps) {
  return (
    <div tabIndex={0} role="group" aria-label={label} className="overflow-x-auto">
      <table aria-label={label} className="w-full text-sm">
        <thead className="text-left text-xs text-text-2">
          <tr className="border-b border-line">
            {heads.map((head, at) => (
              <th
                key={head}
                scope="col"
                className={`py-1.5 pr-4 font-normal whitespace-nowrap ${numbers.includes(at) ? 'text-right' : ''} ${at === wide ? WIDE : ''}`}
              >
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="[&_td]:py-1.5 [&_td]:pr-4 [&_td]:align-top [&_tr]:border-b [&_tr]:border-line">
          {children}
        </tbody>
      </table>
    </div>
  )
}
