/** Fields of quotas, in the forms of tenants and API keys. */

import { useWords } from '../i18n/words.ts'
import { Input } from '../kit/field.tsx'
import { dollars, exactNumber } from '../text/format.ts'
import { isQuota, mostOf, type QuotaFields, type QuotaName } from './quotas.ts'

export const quotaText = (name: QuotaName, value: number): string =>
  name.startsWith('dollars') ? dollars(value) : exactNumber(value)

interface Props {
  readonly names: readonly QuotaName[]
  readonly fields: QuotaFields
  readonly onChange: (fields: QuotaFields) => void
}

export function QuotaFieldset({ names, fields, onChange }: Props) {
  const words = useWords()
  return (
    <fieldset className="grid items-start gap-3 sm:grid-cols-2">
      <legend className="mb-1 text-sm font-medium">{words('quotas.title')}</legend>
      <p className="text-xs text-text-2 sm:col-span-2">{words('tenants.quotas.hint')}</p>
      {names.map((quota) => (
        <Input
          key={quota}
          label={words(`quotas.${quota}`)}
          wrong={
            isQuota(quota, fields[quota])
              ? undefined
              : words('tenants.quotas.wrong', { n: exactNumber(mostOf(quota)) })
          }
          inputMode="decimal"
          autoComplete="off"
          value={fields[quota]}
          onChange={({ target }) => onChange({ ...fields, [quota]: target.value })}
        />
      ))}
    </fieldset>
  )
}
