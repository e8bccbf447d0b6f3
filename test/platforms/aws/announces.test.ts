/** Rule 45a on DynamoDB: every child's end wakes a function, and the model is asked once. */

import { inject, onTestFinished } from 'vitest'
import { dynamoStore } from '../../../src/hosts/aws/dynamodb.ts'
import { SPILL_BYTES } from '../../../src/hosts/aws/ports.ts'
import { s3Objects } from '../../../src/hosts/aws/s3.ts'
import { announcesContract } from '../../contract/announces.ts'
import { newPlace } from '../../support/aws/all.ts'
import { dynamoClient } from '../../support/aws/dynamodb.ts'
import { s3Client } from '../../support/aws/radosgw.ts'

const urls = inject('aws')
const place = await newPlace(urls)

announcesContract('DynamoDB', () => {
  const client = dynamoClient(urls.dynamodb)
  const bucket = s3Client(urls.s3)
  onTestFinished(() => {
    client.destroy()
    bucket.destroy()
  })
  const objects = s3Objects(bucket, place.bucket)
  return dynamoStore({ client, table: place.table, objects, spillBytes: SPILL_BYTES })
})
