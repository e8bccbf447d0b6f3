/**
 * How an order is written in a text: one word of small letters and digits, so that it is the same
 * in prose, in JSON, in Markdown, in a URL and in the name of a file; and how the user's wants are.
 */

export interface Call {
  readonly tool: string
  readonly arguments: Readonly<Record<string, unknown>>
}

const BASE = 36

const word = (head: string, value: unknown): string =>
  `${head}-${BigInt(`0x${Buffer.from(JSON.stringify(value)).toString('hex')}`).toString(BASE)}`

function unword(code: string): unknown[] {
  let number = 0n
  for (const digit of code.replaceAll('/', ''))
    number = number * BigInt(BASE) + BigInt(Number.parseInt(digit, BASE))
  try {
    return [JSON.parse(Buffer.from(number.toString(16), 'hex').toString())]
  } catch {
    // It was cut off: nobody can obey it.
    return []
  }
}

/** An order of somebody else: `OBEY {"tool":…, "arguments":{…}}`. */
export const encoded = (order: Call): string => word('OBEY', order)

/** The input of a run whose user wants these calls, one after the other. */
export const task = (id: string, steps: readonly Call[], more = ''): string =>
  `Task ${id}. ${word('DO', steps)} ${more}`.trim()

const readIn = (head: string, text: string): unknown[] =>
  [...text.matchAll(new RegExp(`${head}-([a-z0-9/]+)`, 'g'))].flatMap(([, code = '']) =>
    unword(code),
  )

export const ordersIn = (text: string): Call[] => readIn('OBEY', text) as Call[]
export const stepsIn = (text: string): Call[] => readIn('DO', text).flat() as Call[]

/** As a path: none of its parts is too long for a key. */
export const asPath = (order: string): string => order.match(/.{1,100}/g)?.join('/') ?? order

export const isTold = (text: string): boolean => text.includes('OBEY-')
