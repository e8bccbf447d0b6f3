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
      z.strictObject({ run: id(`${PATH_ID.run}, which the link only shows`) }),
    ],
    { error: 'One of approval or run, with an id.' },
  )
  .describe('The thing that the link is for; it reaches nothing else')

const may = z
  .enum(['decide', 'read'])
  .describe('`decide`: shows an approval, and one decision can be made; `read`: shows it or a run')

export const AccessLinkInput = z
  .strictObject({
    for: LinkFor,
    may: may.optional().describe('Omitted: `decide` for an approval, `read` for a run'),
    expires_in: z
      .int()
      .min(60)
      .max(LIMITS.access_link_seconds)
      .default(86_400)
      .describe('Seconds until it expires; it ends with the key that made it before'),
  })
  .meta({ id: 'AccessLinkInput', description: 'A link to be made', examples: ACCESS_LINK_INPUTS })
export type AccessLinkInput = z.output<typeof AccessLinkInput>

export const AccessLink = z
  .strictObject({
    id: idOf('tok', 'The token of the link, as the audit names it'),
    object: kindIs('access_link'),
    url: text('What a person opens: shown once and stored nowhere. Who has it may use it'),
    token: text('The token in the URL; also a Bearer token for the same'),
    for: LinkFor,
    may,
    expires_at: time('When it expires; not after its key'),
  })
  .meta({ id: 'AccessLink', description: 'A link that was just made', examples: ACCESS_LINKS })

/** Fields of the form of the page. */
export const DecisionForm = DecisionInput.pick({ decision: true, reason: true }).extend({
  args_hash: z.string().describe('The `args_hash` of the arguments that the page showed'),
})
