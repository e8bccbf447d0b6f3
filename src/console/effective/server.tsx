/** Actions of an MCP server: a test, the link that authorizes it, and forgetting the authorization. */

import { useMutation } from '@tanstack/react-query'
import { api, type Schemas } from '../data/api.ts'
import { useMay } from '../data/session.ts'
import { useWords } from '../i18n/words.ts'
import { Button } from '../kit/button.tsx'
import { Forbidden, Problem } from '../kit/notice.tsx'
import { StateIcon } from '../kit/status.tsx'
import { duration } from '../text/format.ts'
import { Ago, CopyButton, Plain } from '../text/text.tsx'
import type { Entry } from './entries.ts'

export function ServerActions({ entry: { name, layer, members } }: { readonly entry: Entry }) {
  const words = useWords()
  const may = useMay('layers:write')
  const options = layer === null ? {} : { query: { layer } }
  const testing = useMutation({ mutationFn: () => api.mcpServers.test(name, options) })
  const authorizing = useMutation({ mutationFn: () => api.mcpServers.authorize(name, options) })
  const forgetting = useMutation({
    mutationFn: () => api.mcpServers.forgetAuthorization(name, options),
  })
  if (!may) return <Forbidden scope="layers:write" />
  if (layer === null) return null
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap gap-2">
        <Button busy={testing.isPending} onClick={() => testing.mutate()}>
          {words(testing.isPending ? 'effective.testing' : 'effective.test')}
        </Button>
        {members.transport !== 'stdio' && (
          <>
            <Button icon="key" busy={authorizing.isPending} onClick={() => authorizing.mutate()}>
              {words('effective.authorize')}
            </Button>
            <Button
              look="quiet"
              busy={forgetting.isPending}
              onClick={() => {
                authorizing.reset()
                forgetting.mutate()
              }}
            >
              {words('effective.forget')}
            </Button>
          </>
        )}
      </div>
      <Problem error={testing.error} />
      {testing.data && <Outcome outcome={testing.data} />}
      <Problem error={authorizing.error} />
      {authorizing.data && <Authorization link={authorizing.data} />}
      <Problem error={forgetting.error} />
      {forgetting.data && (
        <p role="status" className="text-sm">
          {words(forgottenWord(forgetting.data))}
        </p>
      )}
    </div>
  )
}

function forgottenWord({ forgotten, revoked }: Schemas['ForgottenAuthorization']) {
  if (!forgotten) return 'effective.forget.none'
  return revoked ? 'effective.forget.revoked' : 'effective.forget.kept'
}

function Outcome({ outcome }: { readonly outcome: Schemas['Probed'] }) {
  const words = useWords()
  const { reachable, error, latency_ms, protocol_version, tools, findings } = outcome
  return (
    <section
      aria-label={words('effective.test.result')}
      className="grid gap-2 rounded-lg border border-line px-3 py-2 text-sm [overflow-wrap:anywhere]"
    >
      <p role="status" className="flex items-start gap-2">
        <span className="pt-1">
          <StateIcon state={reachable ? 'completed' : 'failed'} size={12} />
        </span>
        <span className={reachable ? '' : 'text-failed'}>
          {reachable
            ? words('effective.test.ok', {
                ...{ time: duration(latency_ms), version: protocol_version ?? '–' },
                n: tools.length,
              })
            : words('effective.test.failed', { time: duration(latency_ms) })}{' '}
          {error !== null && <Plain text={error} />}
        </span>
      </p>
      {outcome.missing_secrets.map((secret) => (
        <p key={secret} className="text-late">
          {words('effective.test.secret', { name: secret })}
        </p>
      ))}
      {findings.map(({ tool, left_out, message }) => (
        <p key={`${tool} ${message}`} className="text-late">
          {tool !== null && <code className="font-mono text-xs">{tool} </code>}
          <Plain text={message} /> {left_out && words('effective.test.withheld')}
        </p>
      ))}
      {tools.length > 0 && (
        <ul className="grid gap-1">
          {tools.map((tool) => (
            <li key={tool.name}>
              <code className="font-mono text-xs">
                <Plain text={tool.name} />
              </code>{' '}
              <span className="text-text-2">
                <Plain text={tool.description} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function Authorization({ link }: { readonly link: Schemas['AuthorizationLink'] }) {
  const words = useWords()
  const { url, expires_at } = link
  return (
    <div className="grid gap-1 rounded-lg border border-line px-3 py-2 text-sm">
      <p className="flex items-center gap-1">
        <a
          href={url}
          target="_blank"
          rel="noreferrer"
          className="text-accent underline [overflow-wrap:anywhere]"
        >
          {words('effective.authorize.open', { host: new URL(url).host })}
        </a>
        <CopyButton text={url} />
      </p>
      <p className="text-xs text-text-2">
        {words('effective.authorize.expires')} <Ago at={expires_at} />
      </p>
    </div>
  )
}
