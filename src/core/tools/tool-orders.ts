/**
 * Detects descriptions of third-party tools that give a model orders: to ignore instructions, to
 * call the tool unconditionally, to conceal something, or to reveal secrets. The descriptions are
 * data and stay unchanged. People are only warned, because no pattern distinguishes orders from
 * descriptions reliably.
 */

import { hiddenIn } from '../../lib/invisible-characters.ts'

const NEGATED = "(?:do not|don't|never|must not|without)"
const CALL = '(?:call|use|invoke|run|execute)'
const SECRETS =
  '(?:\\.env\\b|\\.ssh\\b|id_rsa|\\.aws\\b|mcp\\.json|/etc/passwd|private keys?|api[ _-]?keys?|' +
  'access tokens?|credentials|passwords?|system prompt|(?:whole|entire|full) conversation|' +
  '(?:conversation|chat) history|environment variables)'
const HAND_OVER =
  '(?:send|pass|forward|include|attach|upload|post|put|append|copy|transmit|leak|exfiltrate|' +
  'read|reveal|submit)'

/**
 * Patterns of orders, matched against one line of lower-case words. Gaps are bounded, so matching
 * takes linear time.
 */
const ORDERS: readonly RegExp[] = [
  // Orders to ignore earlier instructions.
  /\b(?:ignore|disregard|forget|override|bypass)\b.{0,30}\b(?:previous|prior|above|earlier|preceding|existing|other|your|all|system)\b.{0,20}\b(?:instructions?|prompts?|rules|guidelines|directions|messages|policies)\b/,
  /\b(?:ignoriere?|vergiss|missachte)\b.{0,40}\b(?:anweisungen|vorgaben|regeln|befehle)\b/,
  /\b(?:ignore[rz]?|oublie[rz]?)\b.{0,40}\b(?:instructions|consignes|règles)\b/,
  /\b(?:ignora|olvida)\b.{0,40}\b(?:instrucciones|reglas|istruzioni)\b/,
  /(?:忽略|无视|忘记).{0,12}(?:指令|指示|说明|规则)/,
  /<\/?(?:important|system|instructions?|secret|admin)>/,
  /\[(?:system|important|admin)\]|\bnew (?:system )?instructions:/,
  /\byou are now\b|\bfrom now on,? you\b/,
  // Orders to call the tool unconditionally.
  new RegExp(
    `\\byou (?:must|have to|should|shall|need to) (?:always|first|only)\\b.{0,15}\\b${CALL}\\b`,
  ),
  new RegExp(
    `\\balways ${CALL} this\\b|\\bmust ${CALL} (?:this|it)(?: tool| function)? (?:first|always|every|on every|for every|each|whenever)\\b|\\bmust always be (?:called|used|invoked)\\b`,
  ),
  new RegExp(
    `\\bmust ${CALL}\\b.{0,60}\\b(?:before|instead of)\\b.{0,20}\\b(?:any|every|all|each|other|answering|responding|replying)\\b`,
  ),
  /\b(?:before|instead of|prior to)\b.{0,20}\b(?:any|every|all|each)(?: of the)? other tools?\b/,
  /\bmust be (?:called|used|invoked) (?:first|before (?:any|every|all))\b/,
  /\bdu musst (?:immer|zuerst|stets)\b|\btu dois toujours\b|\bdebes siempre\b/,
  // Orders to conceal something from people.
  new RegExp(
    `\\b${NEGATED} (?:ever )?(?:tell|telling|mention|mentioning|inform|informing|notify|notifying|reveal|revealing|show|showing|warn|warning|alert|alerting|ask|asking|disclose|disclosing)\\b.{0,30}\\b(?:users?|people|humans?|anyone|operators?)\\b`,
  ),
  /\b(?:hide|conceal|secret)\b.{0,30}\bfrom the (?:user|human|operator)s?\b/,
  new RegExp(`\\b(?:silently|secretly) (?:${HAND_OVER}|${CALL})\\b`),
  // Orders to reveal secrets.
  new RegExp(`\\b(?:always|must|please|also|first)\\b.{0,20}\\b${HAND_OVER}\\b.{0,60}${SECRETS}`),
  new RegExp(
    `\\b${HAND_OVER}\\b.{0,60}${SECRETS}.{0,60}\\b(?:here|to this|to it|as (?:an? |the )?(?:argument|parameter|note|\`))`,
  ),
  /\bwith the (?:whole|entire|full) conversation\b/,
]

/** Maximum number of characters examined per tool description or schema. */
const LOOKED_AT = 65_536

/** Returns the words of a text that give an order, or undefined if none were found. */
export function orderIn(text: string): string | undefined {
  const line = plain(text.slice(0, LOOKED_AT))
  for (const order of ORDERS) {
    const match = order.exec(line)
    if (match) return match[0]
  }
  return undefined
}

const UNSEEN = /[\p{Cf}\p{Co}]|\p{Variation_Selector}/gu

/** Returns a text as a person reads it: without hidden characters, on one line, in lower case. */
function plain(text: string): string {
  const visibleText = hiddenIn(text) ? text.replace(UNSEEN, '') : text
  return visibleText.normalize('NFKC').replace(/[’‘]/g, "'").replace(/\s+/g, ' ').toLowerCase()
}
