/**
 * The store on DynamoDB keeps the promises of its port. The bound is low, so that bodies lie in a
 * real S3 even when they compress as well as those of tests do.
 */

import { inject, onTestFinished } from 'vitest'
import { dynamoStore } from '../../../src/hosts/aws/dynamodb.ts'
import { s3Objects } from '../../../src/hosts/aws/s3.ts'
import { liveContract } from '../../contract/live.ts'
import { storeContract } from '../../contract/store.ts'
import { strayLetters } from '../../contract/strays.ts'
import { newPlace } from '../../support/aws/all.ts'
import { dynamoClient } from '../../support/aws/dynamodb.ts'
import { s3Client } from '../../support/aws/radosgw.ts'

const urls = inject('aws')
const place = await newPlace(urls)

const make = () => {
  const client = dynamoClient(urls.dynamodb)
  const bucket = s3Client(urls.s3)
  onTestFinished(() => {
    client.destroy()
    bucket.destroy()
  })
  const objects = s3Objects(bucket, place.bucket)
  return dynamoStore({ client, table: place.table, objects, spillBytes: 100 })
}

storeContract('DynamoDB', make)
strayLetters('DynamoDB', make)
liveContract('DynamoDB', make)
