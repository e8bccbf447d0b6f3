/** Form that creates a key: its name, its scopes by family, its expiry, and its quotas. */

import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api, type Schemas } from '../data/api.ts'
import { useMayOneOf } from '../data/session.ts'
import { useWords } from '../i18n/words.ts'
import { Button } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { Checkbox, Input, Select } from '../kit/field.tsx'
import { Problem } from '../kit/notice.tsx'
import { QuotaFieldset } from '../tenants/quota-fields.tsx'
import { hasQuotas, KEY_QUOTA_NAMES } from '../tenants/quotas.ts'
import { Inline } from '../text/text.tsx'
import {
  ACTIONS,
  type Draft,
  EMPTY,
  EXPIRIES,
  FAMILIES,
  hasPrefixes,
  inputOf,
  isGrant,
  isSelected,
  toggledScope,
} from './state.ts'

interface Props {
  readonly onMade: (key: Schemas['ApiKeyWithText']) => void
  readonly onClose: () => void
}

export function KeyForm({ onMade, onClose }: Props) {
  const words = useWords()
  const [draft, setDraft] = useState<Draft>(EMPTY)
  const set = (changes: Partial<Draft>): void => setDraft({ ...draft, ...changes })
  const create = useMutation({
    mutationFn: () => api.keys.create(inputOf(draft)),
    onSuccess: onMade,
  })
  const isComplete = isGrant(draft) && hasQuotas(draft.quotas)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (isComplete && !create.isPending) create.mutate()
  }
  return (
    <Dialog title={words('keys.new')} open onClose={onClose}>
      <form className="grid gap-4" onSubmit={submit}>
        <Input
          label={words('keys.name')}
          hint={words('keys.name.hint')}
          autoFocus
          maxLength={100}
          value={draft.name}
          onChange={({ target }) => set({ name: target.value })}
        />
        <ScopeFields scopes={draft.scopes} onChange={(scopes) => set({ scopes })} />
        <LayersField {...draft} onChange={(layers) => set({ layers })} />
        <Select
          label={words('keys.expires')}
          value={draft.expiry}
          options={EXPIRIES.map((expiry) => [expiry, words(`keys.expiry.${expiry}`)])}
          onChange={({ target }) => set({ expiry: target.value as Draft['expiry'] })}
        />
        {draft.expiry === 'date' && (
          <Input
            label={words('keys.expires.at')}
            type="datetime-local"
            required
            value={draft.date}
            onChange={({ target }) => set({ date: target.value })}
          />
        )}
        <QuotaFieldset
          names={KEY_QUOTA_NAMES}
          fields={draft.quotas}
          onChange={(quotas) => set({ quotas })}
        />
        <Problem error={create.error} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{words('cancel')}</Button>
          <Button look="primary" type="submit" busy={create.isPending} disabled={!isComplete}>
            {words('keys.create')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

interface LayersProps {
  readonly scopes: readonly string[]
  readonly layers: string
  readonly onChange: (layers: string) => void
}

/** Prefixes of layers that a key may change; absent if it may change all layers. */
export function LayersField({ scopes, layers, onChange }: LayersProps) {
  const words = useWords()
  if (isSelected(scopes, 'layers:write')) return null
  return (
    <Input
      label={words('keys.layers')}
      hint={<Inline text={words('keys.layers.hint')} />}
      wrong={hasPrefixes(layers) ? undefined : words('keys.layers.wrong')}
      placeholder="roles/support/"
      spellCheck={false}
      value={layers}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}

interface ScopesProps {
  readonly scopes: readonly string[]
  readonly onChange: (scopes: readonly string[]) => void
}

/** Scopes that this session does not have are disabled: a key can grant only its own scopes. */
export function ScopeFields({ scopes, onChange }: ScopesProps) {
  const words = useWords()
  const may = useMayOneOf()
  const field = (scope: string, label: string, broader: string) => (
    <label className="inline-flex min-h-7 items-center gap-1.5 pointer-coarse:min-h-11">
      <input
        type="checkbox"
        aria-label={scope}
        className="size-4 accent-(--accent)"
        checked={isSelected(scopes, scope)}
        disabled={!may([scope]) || scopes.includes('*') || scopes.includes(broader)}
        onChange={() => onChange(toggledScope(scopes, scope))}
      />
      <span aria-hidden="true">{label}</span>
    </label>
  )
  return (
    <fieldset className="grid gap-1 text-sm">
      <legend className="pb-1 font-medium">{words('keys.scopes')}</legend>
      <Checkbox
        label={words('keys.scopes.all')}
        checked={scopes.includes('*')}
        disabled={!may(['*'])}
        onChange={() => onChange(toggledScope(scopes, '*'))}
      />
      <div
        tabIndex={0}
        role="group"
        aria-label={words('keys.scopes')}
        className="max-h-64 overflow-y-auto rounded-md border border-line px-2"
      >
        <table className="w-full">
          <tbody>
            {Object.entries(FAMILIES).map(([family, actions]) => (
              <tr key={family} className="border-b border-line last:border-b-0">
                <th scope="row" className="text-left font-normal">
                  {field(`${family}:*`, family, '*')}
                </th>
                {ACTIONS.slice(0, 2).map((action, column) => {
                  const name = actions.includes(action)
                    ? action
                    : column === 0
                      ? actions.find((other) => other === 'raw')
                      : undefined
                  return (
                    <td key={action} className="w-20">
                      {name !== undefined &&
                        field(
                          `${family}:${name}`,
                          words(`keys.action.${name as 'read'}`),
                          `${family}:*`,
                        )}
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="text-xs text-text-2">{words('keys.scopes.hint')}</p>
    </fieldset>
  )
}
