/** The selected secret: its hosts, its uses, its version, and its actions. */

import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Fact } from '../approvals/why.tsx'
import { api } from '../data/api.ts'
import { useMay } from '../data/session.ts'
import { useWords } from '../i18n/words.ts'
import { Button } from '../kit/button.tsx'
import { exactTime } from '../text/format.ts'
import { Ago, Code, Inline, Plain } from '../text/text.tsx'
import { Confirm } from '../webhooks/confirm.tsx'
import { SecretForm } from './form.tsx'
import type { Secret } from './state.ts'

interface Props {
  readonly secret: Secret
  /** Sentences of the server about the last write. */
  readonly warnings: readonly string[]
  readonly onSaved: (name: string, warnings: readonly string[]) => void
  readonly onDeleted: () => void
}

export function SecretDetail(props: Props) {
  const words = useWords()
  const { secret, warnings } = props
  return (
    <article aria-label={secret.name} className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <h2 className="min-w-0 font-mono font-semibold [overflow-wrap:anywhere]">
        <Plain text={secret.name} />
      </h2>
      <Actions {...props} />
      {warnings.length > 0 && (
        <div
          role="status"
          aria-label={words('secrets.warnings')}
          className="rounded-md border border-line bg-subtle p-3 text-sm"
        >
          <ul className="grid gap-1">
            {warnings.map((warning) => (
              <li key={warning}>
                <Inline text={warning} />
              </li>
            ))}
          </ul>
        </div>
      )}
      <SecretFacts secret={secret} />
      {secret.uses.includes('mcp') && (
        <div className="grid gap-1">
          <p className="text-sm text-text-2">
            <Inline text={words('secrets.config')} />
          </p>
          <Code label="config.toml" text={`bearer_token_env_var = "${secret.name}"`} />
        </div>
      )}
    </article>
  )
}

function SecretFacts({ secret }: { readonly secret: Secret }) {
  const words = useWords()
  const mayAudit = useMay('audit:read')
  const { name, hosts, any_host, uses, version, created_at, updated_at } = secret
  return (
    <dl className="grid grid-cols-[6.5rem_minmax(0,1fr)] gap-x-4 gap-y-2 text-sm">
      <Fact name={words('secrets.hosts')}>
        {any_host ? (
          words('secrets.any')
        ) : (
          <span className="font-mono text-xs">
            <Plain text={hosts.join(', ')} />
          </span>
        )}
      </Fact>
      <Fact name={words('secrets.uses')}>
        {uses.map((use) => words(`secrets.use.${use}`)).join(', ')}
      </Fact>
      <Fact name={words('secrets.version')}>{version}</Fact>
      <Fact name={words('secrets.updated')}>
        {exactTime(updated_at)} (<Ago at={updated_at} />)
      </Fact>
      <Fact name={words('secrets.created')}>
        {exactTime(created_at)} (<Ago at={created_at} />)
      </Fact>
      {mayAudit && (
        <Fact name={words('audit.title')}>
          <Link
            to="/audit"
            search={{ kind: 'secret', name }}
            className="text-accent hover:underline"
          >
            {words('secrets.audit')}
          </Link>
        </Fact>
      )}
    </dl>
  )
}

function Actions({ secret, onSaved, onDeleted }: Props) {
  const words = useWords()
  const mayWrite = useMay('secrets:write')
  const [dialog, setDialog] = useState<'replace' | 'delete'>()
  const close = () => setDialog(undefined)
  const { name, version } = secret
  const remove = useMutation({
    mutationFn: () => api.secrets.delete(name, { ifMatch: `"${version}"` }),
    onSuccess: () => {
      close()
      onDeleted()
    },
  })
  if (!mayWrite) return null
  return (
    <div className="flex flex-wrap gap-2">
      <Button icon="edit" onClick={() => setDialog('replace')}>
        {words('secrets.replace')}
      </Button>
      <Button icon="trash" look="danger" onClick={() => setDialog('delete')}>
        {words('secrets.delete')}
      </Button>
      {dialog === 'replace' && (
        <SecretForm
          secret={secret}
          onSaved={({ warnings }) => {
            close()
            onSaved(name, warnings)
          }}
          onClose={close}
        />
      )}
      {dialog === 'delete' && (
        <Confirm
          title={words('secrets.delete')}
          question={words('secrets.delete.sure', { name })}
          isBusy={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate()}
          onClose={close}
        />
      )}
    </div>
  )
}
