/**
 * What DynamoDB would bill, from the requests that really go to it: units by item size, twice in a
 * transaction, and one for each entry of an index that a write adds or removes; also when the condition of
 * a write refuses it. The sizes are those
 * of AWS's rules (names and values as UTF-8), the largest item and transaction are kept as well.
 */

import type { AttributeValue, DynamoDBClient } from '@aws-sdk/client-dynamodb'

type Item = Record<string, AttributeValue>

export interface DynamoBill {
  commits: number
  /** Writes that were refused by their condition, which are billed too. */
  refusals: number
  writeUnits: number
  readUnits: number
  /** Units by place: a partition of the table, or `index` with its key. */
  readonly places: Record<string, { write: number; read: number }>
  /** Calls by kind. */
  readonly calls: Record<'read' | 'write' | 'transaction', number>
  /** Bytes of all items and index entries, as the vendor counts them. */
  stored(): number
  /** Bytes of the largest item, items of the largest transaction. */
  largestItem: number
  largestTransaction: number
}

interface Request {
  readonly TransactItems?: readonly Operation[]
  readonly Item?: Item
  readonly Key?: Item
  readonly UpdateExpression?: string
  readonly ExpressionAttributeValues?: Item
  readonly IndexName?: string
  readonly ConsistentRead?: boolean
  readonly RequestItems?: Record<string, { Keys?: Item[]; DeleteRequest?: { Key?: Item } }>
}
interface Operation {
  readonly Put?: Request
  readonly Update?: Request
  readonly Delete?: Request
}
interface Output {
  readonly Items?: Item[]
  readonly Item?: Item
  readonly Responses?: Record<string, Item[]>
}

/** Forgets what was counted, not what is stored. */
export function resetDynamo(bill: DynamoBill): void {
  Object.assign(bill, { commits: 0, refusals: 0, writeUnits: 0, readUnits: 0, places: {} })
  Object.assign(bill.calls, { read: 0, write: 0, transaction: 0 })
}

/** Of each item, and of each entry of an index. */
const OVERHEAD = 100

export function meterDynamo(client: DynamoDBClient): DynamoBill {
  const sizes = new Map<string, number>()
  const bill = {
    places: {} as DynamoBill['places'],
    calls: { read: 0, write: 0, transaction: 0 },
    stored: () => [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0),
    commits: 0,
    refusals: 0,
    writeUnits: 0,
    readUnits: 0,
    largestItem: 0,
    largestTransaction: 0,
  }
  /** The index keys and tags that each item has now. */
  const indexed = new Map<string, Item>()
  const kilobytes = (item: Item): number => {
    const bytes = sizeOf(item)
    bill.largestItem = Math.max(bill.largestItem, bytes)
    return Math.ceil(bytes / 1_024)
  }
  const spend = (place: string, what: 'write' | 'read', units: number): void => {
    bill.places[place] ??= { write: 0, read: 0 }
    bill.places[place][what] += units
    if (what === 'write') bill.writeUnits += units
    else bill.readUnits += units
  }
  const write = (operation: Operation, times: number): void => {
    const { Put, Update, Delete } = operation
    const after: Item = Put?.Item ?? (Update ? updated(Update) : {})
    const key = Put?.Item ?? Update?.Key ?? Delete?.Key ?? {}
    const address = `${key.p?.S} ${key.k?.S}`
    spend(`table ${key.p?.S}`, 'write', times * Math.max(1, kilobytes(after)))
    for (const index of indexWrites(indexed.get(address) ?? {}, after)) spend(index, 'write', 1)
    indexed.set(address, after)
    if (Delete) sizes.delete(address)
    else sizes.set(address, sizeOf(after) + OVERHEAD + entrySizes(after))
  }
  /** A write whose condition does not hold is billed, and changes nothing. */
  const refused = (command: string, input: Request): void => {
    const all = input.TransactItems ?? (WRITES[command] ? [{ [WRITES[command]]: input }] : [])
    const times = input.TransactItems ? 2 : 1
    for (const { Put, Update, Delete } of all as readonly Operation[]) {
      const { p } = Put?.Item ?? Update?.Key ?? Delete?.Key ?? {}
      const units = Math.max(1, kilobytes(Put?.Item ?? (Update ? updated(Update) : {})))
      if (!Delete) spend(`table ${p?.S}`, 'write', times * units)
    }
    bill.refusals += all.length > 0 ? 1 : 0
  }
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const input = args.input as Request
      const answer = await next(args).catch((error: unknown) => {
        refused(String(context.commandName), input)
        throw error
      })
      const output = answer.output as Output
      const command = String(context.commandName)
      if (command === 'TransactWriteItemsCommand') {
        const all = input.TransactItems ?? []
        bill.commits += 1
        bill.calls.transaction += 1
        bill.largestTransaction = Math.max(bill.largestTransaction, all.length)
        for (const operation of all) write(operation, 2)
      } else if (WRITES[command]) {
        bill.commits += 1
        bill.calls.write += 1
        write({ [WRITES[command]]: input }, 1)
      } else if (command === 'BatchWriteItemCommand') {
        bill.calls.write += 1
        for (const { DeleteRequest } of Object.values(input.RequestItems ?? {}).flat())
          if (DeleteRequest?.Key) write({ Delete: { Key: DeleteRequest.Key } }, 1)
      } else {
        bill.calls.read += 1
        for (const [place, units] of reads(command, input, output)) spend(place, 'read', units)
      }
      return answer
    },
    { step: 'initialize' },
  )
  return bill
}

const WRITES: Readonly<Record<string, 'Put' | 'Update' | 'Delete'>> = {
  PutItemCommand: 'Put',
  UpdateItemCommand: 'Update',
  DeleteItemCommand: 'Delete',
}

function updated({ Key, ExpressionAttributeValues = {} }: Request): Item {
  const values = Object.entries(ExpressionAttributeValues)
  return { ...Key, ...Object.fromEntries(values.map(([name, value]) => [name.slice(1), value])) }
}

const INDEXES = [
  ['alarms', 'g', 'w'],
  ['lists', 'u', 'a'],
] as const

/** Where: an entry that moves is removed and added; one whose tags change is written once. */
function indexWrites(before: Item, after: Item): string[] {
  return INDEXES.flatMap(([name, hash, range]) => {
    const place = (item: Item): string[] => (item[hash] ? [`index ${name} ${item[hash].S}`] : [])
    const was = before[hash] && `${before[hash].S} ${before[range]?.S}`
    const is = after[hash] && `${after[hash].S} ${after[range]?.S}`
    const tagged = hash === 'u' && before.t?.S !== after.t?.S
    if (was === is) return is !== undefined && tagged ? place(after) : []
    return [...place(before), ...place(after)]
  })
}

/** Entries hold the keys of both, and the tags. */
const entrySizes = (item: Item): number =>
  INDEXES.reduce((sum, [, hash, range]) => {
    if (!item[hash]) return sum
    const names = ['p', 'k', hash, range, ...(hash === 'u' ? ['t'] : [])]
    const held = Object.fromEntries(
      names.flatMap((name) => (item[name] ? [[name, item[name]] as const] : [])),
    )
    return sum + sizeOf(held) + OVERHEAD
  }, 0)

/** Units by place. */
function reads(command: string, input: Request, output: Output): [string, number][] {
  const units = (bytes: number, consistent: boolean): number =>
    Math.max(1, Math.ceil(bytes / 4_096)) * (consistent ? 1 : 0.5)
  if (command === 'QueryCommand') {
    const bytes = (output.Items ?? []).reduce((sum, item) => sum + sizeOf(item), 0)
    const values = input.ExpressionAttributeValues ?? {}
    const { S } = values[':p'] ?? values[':g'] ?? values[':u'] ?? {}
    const place = input.IndexName === undefined ? `table ${S}` : `index ${input.IndexName} ${S}`
    return [[place, units(bytes, input.ConsistentRead === true)]]
  }
  if (command === 'GetItemCommand')
    return [[`table ${input.Key?.p?.S}`, units(sizeOf(output.Item ?? {}), true)]]
  if (command !== 'BatchGetItemCommand') return []
  const found = new Map(
    Object.values(output.Responses ?? {})
      .flat()
      .map((item) => [`${item.p?.S} ${item.k?.S}`, item]),
  )
  return Object.values(input.RequestItems ?? {})
    .flatMap(({ Keys = [] }) => Keys)
    .map(({ p, k }) => {
      return [`table ${p?.S}`, units(sizeOf(found.get(`${p?.S} ${k?.S}`) ?? {}), true)]
    })
}

const sizeOf = (item: Item): number =>
  Object.entries(item).reduce((sum, [name, value]) => sum + name.length + valueSize(value), 0)

function valueSize({ S, N, L, B }: AttributeValue): number {
  if (B !== undefined) return B.length
  if (S !== undefined) return Buffer.byteLength(S)
  if (N !== undefined) return Math.ceil(N.length / 2) + 1
  return 3 + (L ?? []).reduce((sum, one) => sum + 1 + valueSize(one), 0)
}
