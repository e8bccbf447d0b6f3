/**
 * The table and the bucket of compose.yaml, made once: this runs in the server's image, beside its
 * code, and ends when both are there.
 */

import {
  CreateTableCommand,
  DynamoDBClient,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { tableDefinition } from './dist/hosts/aws/table.js'

const { STRATA_TABLE: table, STRATA_BUCKET: bucket } = process.env
const PATIENCE_MS = 60_000

/** Until it has worked, or was done before; the storage may still be starting. */
async function done(name, act, before) {
  for (const began = Date.now(); ; ) {
    try {
      await act()
      return console.log(`${name}: made`)
    } catch (error) {
      if (before.includes(error.name)) return console.log(`${name}: there already`)
      if (Date.now() - began > PATIENCE_MS) throw error
      await new Promise((resolve) => setTimeout(resolve, 500))
    }
  }
}

const dynamodb = new DynamoDBClient()
await done(`table ${table}`, () => dynamodb.send(new CreateTableCommand(tableDefinition(table))), [
  'ResourceInUseException',
])
const ttl = { TableName: table, TimeToLiveSpecification: { AttributeName: 'x', Enabled: true } }
await done('its TTL', () => dynamodb.send(new UpdateTimeToLiveCommand(ttl)), ['ValidationException'])
const s3 = new S3Client({ forcePathStyle: true })
await done(`bucket ${bucket}`, () => s3.send(new CreateBucketCommand({ Bucket: bucket })), [
  'BucketAlreadyOwnedByYou',
  'BucketAlreadyExists',
])
