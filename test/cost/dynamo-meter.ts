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

export function meterDynamo(client: DynamoDBClient): DynamoBill {
  const bill = {
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
  const write = (operation: Operation, times: number): void => {
    const { Put, Update, Delete } = operation
    const after: Item = Put?.Item ?? (Update ? updated(Update) : {})
    const key = Put?.Item ?? Update?.Key ?? Delete?.Key ?? {}
    const address = `${key.p?.S} ${key.k?.S}`
    bill.writeUnits += times * Math.max(1, kilobytes(after))
    bill.writeUnits += indexWrites(indexed.get(address) ?? {}, after)
    indexed.set(address, after)
  }
  /** A write whose condition does not hold is billed, and changes nothing. */
  const refused = (command: string, input: Request): void => {
    const all = input.TransactItems ?? (WRITES[command] ? [{ [WRITES[command]]: input }] : [])
    const times = input.TransactItems ? 2 : 1
    for (const { Put, Update } of all as readonly Operation[])
      bill.writeUnits +=
        times * Math.max(1, kilobytes(Put?.Item ?? (Update ? updated(Update) : {})))
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
        bill.largestTransaction = Math.max(bill.largestTransaction, all.length)
        for (const operation of all) write(operation, 2)
      } else if (WRITES[command]) {
        bill.commits += 1
        write({ [WRITES[command]]: input }, 1)
      } else if (command === 'BatchWriteItemCommand') {
        for (const { DeleteRequest } of Object.values(input.RequestItems ?? {}).flat())
          if (DeleteRequest?.Key) write({ Delete: { Key: DeleteRequest.Key } }, 1)
      } else bill.readUnits += readUnits(command, input, output)
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

/** An entry that moves is removed and added; one whose tags change is written once. */
function indexWrites(before: Item, after: Item): number {
  const pairs = [
    ['g', 'w'],
    ['u', 'a'],
  ] as const
  return pairs.reduce((sum, [hash, range]) => {
    const was = before[hash] && `${before[hash].S} ${before[range]?.S}`
    const is = after[hash] && `${after[hash].S} ${after[range]?.S}`
    const tagged = hash === 'u' && before.t?.S !== after.t?.S
    if (was === is) return is !== undefined && tagged ? sum + 1 : sum
    return sum + (was ? 1 : 0) + (is ? 1 : 0)
  }, 0)
}

function readUnits(command: string, input: Request, output: Output): number {
  const units = (bytes: number, consistent: boolean): number =>
    Math.max(1, Math.ceil(bytes / 4_096)) * (consistent ? 1 : 0.5)
  if (command === 'QueryCommand') {
    const bytes = (output.Items ?? []).reduce((sum, item) => sum + sizeOf(item), 0)
    return units(bytes, input.ConsistentRead === true)
  }
  if (command === 'GetItemCommand') return units(sizeOf(output.Item ?? {}), true)
  if (command !== 'BatchGetItemCommand') return 0
  const asked = Object.values(input.RequestItems ?? {}).flatMap(({ Keys = [] }) => Keys).length
  const found = Object.values(output.Responses ?? {}).flat()
  const missing = asked - found.length
  return found.reduce((sum, item) => sum + units(sizeOf(item), true), missing)
}

const sizeOf = (item: Item): number =>
  Object.entries(item).reduce((sum, [name, value]) => sum + name.length + valueSize(value), 0)

function valueSize({ S, N, L, B }: AttributeValue): number {
  if (B !== undefined) return B.length
  if (S !== undefined) return Buffer.byteLength(S)
  if (N !== undefined) return Math.ceil(N.length / 2) + 1
  return 3 + (L ?? []).reduce((sum, one) => sum + 1 + valueSize(one), 0)
}
