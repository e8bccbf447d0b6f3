/** Secrets are written and never read again: names, versions and where they may be sent. */

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api, type Schemas } from '../../app/api.ts'
import { useMay } from '../../app/session.ts'
import { useWish } from '../../app/wish.ts'
import { useWords } from '../../app/words.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Checkbox, Input } from '../../ui/field.tsx'
import { More, usePages } from '../../ui/more.tsx'
import { Empty, Loading, Problem } from '../../ui/notice.tsx'
import { Table } from '../../ui/page.tsx'
import { Ago } from '../../ui/text.tsx'

type Secret = Schemas['Secret']
const KEY = ['secrets'] as const

export default function Secrets() {
  const words = useWords()
  const may = useMay('secrets:write')
  const [open, setOpen] = useState(false)
  useWish('secrets.put', () => setOpen(true))
  const found = usePages<Secret>(KEY, () => api.secrets.list())
  return (
    <div className="grid gap-4">
      {may && (
        <div>
          <Button look="primary" icon="plus" onClick={() => setOpen(true)}>
            {words('secrets.put')}
          </Button>
        </div>
      )}
      {found.isPending && <Loading />}
      {found.isSuccess && found.items.length === 0 && (
        <Empty
          title={words('secrets.empty')}
          command="strata secrets put GITHUB_TOKEN --host api.github.com"
        >
          {words('secrets.empty.hint')}
        </Empty>
      )}
      {found.items.length > 0 && (
        <Table
          label={words('settings.secrets')}
          head={[
            words('secrets.name'),
            words('secrets.hosts'),
            words('secrets.version'),
            words('secrets.changed'),
            '',
          ]}
        >
          {found.items.map(({ name, version, hosts, any_host, updated_at }) => (
            <tr key={name}>
              <td className="font-mono text-xs font-semibold">{name}</td>
              <td className="text-xs">
                {any_host ? words('secrets.any') : hosts.join(', ') || '–'}
              </td>
              <td>{version}</td>
              <td>
                <Ago at={updated_at} />
              </td>
              <td className="text-right">
                {may && (
                  <Confirm
                    word={words('delete')}
                    question={words('secrets.delete.sure', { name })}
                    act={() => api.secrets.delete(name)}
                    touches={KEY}
                  />
                )}
              </td>
            </tr>
          ))}
        </Table>
      )}
      <More of={found} />
      <Dialog title={words('secrets.put')} open={open} onClose={() => setOpen(false)}>
        <PutSecret onDone={() => setOpen(false)} />
      </Dialog>
    </div>
  )
}

function PutSecret({ onDone }: { readonly onDone: () => void }) {
  const words = useWords()
  const cache = useQueryClient()
  const [name, setName] = useState('')
  const [value, setValue] = useState('')
  const [hosts, setHosts] = useState('')
  const [any, setAny] = useState(false)
  const putting = useMutation({
    mutationFn: () =>
      api.secrets.put(name.trim(), {
        value,
        hosts: any ? null : hosts.split(/[\s,]+/).filter((one) => one !== ''),
        any_host: any,
      }),
    onSuccess: () => cache.invalidateQueries({ queryKey: KEY }),
  })
  if (putting.data) {
    return (
      <div className="grid gap-4 text-sm">
        <p>{words('secrets.kept', { name: putting.data.name, version: putting.data.version })}</p>
        {putting.data.warnings.map((one) => (
          <p key={one} className="text-warn">
            {one}
          </p>
        ))}
        <Button onClick={onDone}>{words('close')}</Button>
      </div>
    )
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    putting.mutate()
  }
  return (
    <form className="grid gap-4" onSubmit={submit}>
      <Input
        label={words('secrets.name')}
        required
        placeholder="GITHUB_TOKEN"
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <Input
        label={words('secrets.value')}
        hint={words('secrets.value.hint')}
        required
        type="password"
        autoComplete="off"
        value={value}
        onChange={({ target }) => setValue(target.value)}
      />
      <Input
        label={words('secrets.hosts')}
        hint={words('secrets.hosts.hint')}
        disabled={any}
        placeholder="api.github.com"
        value={hosts}
        onChange={({ target }) => setHosts(target.value)}
      />
      <Checkbox
        label={words('secrets.any')}
        checked={any}
        onChange={({ target }) => setAny(target.checked)}
      />
      <Problem error={putting.error} />
      <Button look="primary" type="submit" busy={putting.isPending}>
        {words('save')}
      </Button>
    </form>
  )
}
