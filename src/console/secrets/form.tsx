/** Form that creates or replaces a secret; no response contains its value again. */

import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api, type Schemas } from '../data/api.ts'
import { useWords } from '../i18n/words.ts'
import { Button } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { Checkbox, Input, TextArea } from '../kit/field.tsx'
import { Problem } from '../kit/notice.tsx'
import { Inline } from '../text/text.tsx'
import {
  type Draft,
  draftOf,
  inputOf,
  isComplete,
  isName,
  type Secret,
  toggledUse,
  USES,
} from './state.ts'

interface Props {
  /** Secret to replace; absent for a new one. */
  readonly secret?: Secret
  readonly onSaved: (secret: Schemas['SecretWritten']) => void
  readonly onClose: () => void
}

export function SecretForm({ secret, onSaved, onClose }: Props) {
  const words = useWords()
  const [draft, setDraft] = useState<Draft>(() => draftOf(secret))
  const set = (changes: Partial<Draft>): void => setDraft({ ...draft, ...changes })
  const save = useMutation({
    // A secret that another person has created or changed is not overwritten.
    mutationFn: () =>
      api.secrets.put(
        draft.name,
        inputOf(draft),
        secret ? { ifMatch: `"${secret.version}"` } : { ifNoneMatch: '*' },
      ),
    onSuccess: onSaved,
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (isComplete(draft) && !save.isPending) save.mutate()
  }
  const isWrong = draft.name !== '' && !isName(draft.name)
  return (
    <Dialog
      title={secret ? words('secrets.replace.of', { name: secret.name }) : words('secrets.new')}
      open
      onClose={onClose}
    >
      <form className="grid gap-4" onSubmit={submit} autoComplete="off">
        {!secret && (
          <Input
            label={words('secrets.name')}
            hint={<Inline text={words('secrets.name.hint')} />}
            wrong={isWrong ? words('secrets.name.wrong') : undefined}
            autoFocus
            spellCheck={false}
            maxLength={128}
            placeholder="SHOP_TOKEN"
            value={draft.name}
            onChange={({ target }) => set({ name: target.value })}
          />
        )}
        <ValueField draft={draft} set={set} isFirst={secret !== undefined} />
        <HostFields draft={draft} set={set} />
        <fieldset className="grid gap-1.5 pointer-coarse:gap-4">
          <legend className="pb-1 text-sm font-medium">{words('secrets.uses')}</legend>
          {USES.map((use) => (
            <Checkbox
              key={use}
              label={words(`secrets.use.${use}`)}
              checked={draft.uses.includes(use)}
              onChange={() => set({ uses: toggledUse(draft.uses, use) })}
            />
          ))}
        </fieldset>
        <Problem error={save.error} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{words('cancel')}</Button>
          <Button look="primary" type="submit" busy={save.isPending} disabled={!isComplete(draft)}>
            {words(secret ? 'secrets.replace' : 'secrets.create')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

interface FieldProps {
  readonly draft: Draft
  readonly set: (changes: Partial<Draft>) => void
}

function ValueField({ draft, set, isFirst }: FieldProps & { readonly isFirst: boolean }) {
  const words = useWords()
  const common = {
    label: words('secrets.value'),
    hint: words('secrets.value.hint'),
    required: true,
    autoFocus: isFirst,
    spellCheck: false,
    autoComplete: 'off',
    value: draft.value,
  }
  return (
    <div className="grid gap-1.5">
      {draft.isMultiline ? (
        <TextArea
          {...common}
          rows={4}
          className="font-mono text-xs"
          onChange={({ target }) => set({ value: target.value })}
        />
      ) : (
        <Input
          {...common}
          type="password"
          onChange={({ target }) => set({ value: target.value })}
        />
      )}
      <Checkbox
        label={words('secrets.value.lines')}
        checked={draft.isMultiline}
        onChange={({ target }) => set({ isMultiline: target.checked })}
      />
    </div>
  )
}

function HostFields({ draft, set }: FieldProps) {
  const words = useWords()
  return (
    <div className="grid gap-1.5">
      <Input
        label={words('secrets.hosts')}
        hint={<Inline text={words('secrets.hosts.hint')} />}
        spellCheck={false}
        disabled={draft.isAnyHost}
        placeholder="mcp.shop.example"
        value={draft.isAnyHost ? '' : draft.hosts}
        onChange={({ target }) => set({ hosts: target.value })}
      />
      <Checkbox
        label={words('secrets.hosts.any')}
        checked={draft.isAnyHost}
        onChange={({ target }) => set({ isAnyHost: target.checked })}
      />
    </div>
  )
}
