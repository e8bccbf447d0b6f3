/** A link that opens this one decision for somebody who has no key, and nothing else. */

import { useMutation } from '@tanstack/react-query'
import { api, type Schemas } from '../app/api.ts'
import { linkTo } from '../app/decision-link.ts'
import { useMay } from '../app/session.ts'
import { useWords } from '../app/words.ts'
import { Button } from './button.tsx'
import { Problem } from './notice.tsx'
import { ShownOnce } from './shown-once.tsx'

/** The most that a token counts for. */
const HOUR_S = 3_600

export function DecisionLink({ approval }: { readonly approval: Schemas['Approval'] }) {
  const words = useWords()
  const mayMake = useMay('tokens:write')
  const mayDecide = useMay('approvals:write')
  const { id, expires_at } = approval
  const making = useMutation({
    mutationFn: async () => {
      const left = Math.floor((Date.parse(expires_at) - Date.now()) / 1_000)
      const seconds = Math.min(HOUR_S, Math.max(1, left))
      const wanted = { for: id, actions: ['read', 'decide'] as const, expires_in_seconds: seconds }
      const { token } = await api.tokens.create({ ...wanted, actions: [...wanted.actions] })
      const link = linkTo(location.origin, { token, approval: id })
      // Where the browser lets nobody write there, the button beside the link is left.
      const copied = await navigator.clipboard?.writeText(link).then(
        () => true,
        () => false,
      )
      return { link, copied: copied === true, minutes: Math.ceil(seconds / 60) }
    },
  })
  if (!mayMake || !mayDecide) return null
  const { data } = making
  return (
    <div className="grid gap-3">
      <div>
        <Button
          look="quiet"
          icon="copy"
          busy={making.isPending}
          className="-ml-3"
          onClick={() => making.mutate()}
        >
          {words('decide.link')}
        </Button>
      </div>
      <Problem error={making.error} />
      {data && (
        <div role="status">
          <ShownOnce
            sentence={words(data.copied ? 'decide.link.copied' : 'decide.link.made', {
              n: data.minutes,
            })}
            label={words('decide.link')}
            text={data.link}
          />
        </div>
      )}
    </div>
  )
}
