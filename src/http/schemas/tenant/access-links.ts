/** Schemas of signed links: URLs with a token, which a person opens in any browser. */

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
      z.strictObject({ run: id(`${PATH_ID.run}, to which the link grants read-only access`) }),
    ],
    { error: 'The subject must be either approval or run, with an ID.' },
  )
  .describe(
    'Approval or run that the link grants access to; the link grants access to nothing ' + 'else',
  )

const may = z
  .enum(['decide', 'read'])
  .describe(
    'Link permission: `decide` shows an approval and allows one decision, `read` shows an ' +
      'approval or a run',
  )

export const AccessLinkInput = z
  .strictObject({
    for: LinkFor,
    may: may
      .optional()
      .describe('Link permission; if omitted, `decide` for an approval and `read` for a run'),
    expires_in: z
      .int()
      .min(60)
      .max(LIMITS.access_link_seconds)
      .default(86_400)
      .describe(
        'Lifetime in seconds; the link expires earlier if the key that created it becomes ' +
          'invalid',
      ),
  })
  .meta({
    id: 'AccessLinkInput',
    description: 'An access link to create',
    examples: ACCESS_LINK_INPUTS,
  })
export type AccessLinkInput = z.output<typeof AccessLinkInput>

export const AccessLink = z
  .strictObject({
    id: idOf('tok', "ID of the link's token, as in the audit log"),
    object: kindIs('access_link'),
    url: text(
      'URL for a person, returned only once and never stored. Anyone with the URL can use ' +
        'the link',
    ),
    token: text('Token in the URL; also valid as a Bearer token with the same rights'),
    for: LinkFor,
    may,
    expires_at: time("Expiration time, no later than the key's expiration"),
  })
  .meta({ id: 'AccessLink', description: 'The new access link', examples: ACCESS_LINKS })

/** Schema of the decision form on a signed link's page. */
export const DecisionForm = DecisionInput.pick({ decision: true, reason: true }).extend({
  args_hash: z.string().describe('`args_hash` of the arguments shown on the page'),
})
