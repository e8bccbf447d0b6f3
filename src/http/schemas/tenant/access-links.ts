/** Signed links: a token in a URL, which a person opens in any browser. */

import * as z from 'zod'
import { LIMITS } from '../../../core/limits.ts'
import { DecisionInput } from '../runs/approvals.ts'
import { ACCESS_LINK_INPUTS, ACCESS_LINKS } from '../shared/examples.ts'
import { idOf, kindIs, PATH_ID, text, time } from '../shared/words.ts'

const id = (words: string) => z.string().min(1).max(100).describe(words)

const LinkFor = z
  .union(
    [
      z.strictObject({ approval: id(PATH_ID.approval) }),
      z.strictObject({ run: id(`${PATH_ID.run}, which the link shows read-only`) }),
    ],
    { error: 'Either approval or run, with an ID.' },
  )
  .describe('The subject of the link; it reaches nothing else')

const may = z
  .enum(['decide', 'read'])
  .describe(
    '`decide`: shows an approval and allows one decision. `read`: shows an approval or a ' + 'run',
  )

export const AccessLinkInput = z
  .strictObject({
    for: LinkFor,
    may: may.optional().describe('Omitted: `decide` for an approval, `read` for a run'),
    expires_in: z
      .int()
      .min(60)
      .max(LIMITS.access_link_seconds)
      .default(86_400)
      .describe('Seconds until it expires; it ends earlier with the key that created it'),
  })
  .meta({
    id: 'AccessLinkInput',
    description: 'An access link to create',
    examples: ACCESS_LINK_INPUTS,
  })
export type AccessLinkInput = z.output<typeof AccessLinkInput>

export const AccessLink = z
  .strictObject({
    id: idOf('tok', 'ID of the token of the link, as in the audit log'),
    object: kindIs('access_link'),
    url: text('URL for a person; shown once and never stored. Anyone who has it can use it'),
    token: text('The token in the URL; also a Bearer token with the same rights'),
    for: LinkFor,
    may,
    expires_at: time('Expiry; not after that of its key'),
  })
  .meta({ id: 'AccessLink', description: 'A created access link', examples: ACCESS_LINKS })

/** Fields of the form of the page. */
export const DecisionForm = DecisionInput.pick({ decision: true, reason: true }).extend({
  args_hash: z.string().describe('The `args_hash` of the arguments on the page'),
})
