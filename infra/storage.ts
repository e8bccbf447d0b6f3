/** Storage that outlives the stack: the table with its two sparse indexes, and the bucket. */

import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib'
import * as dynamodb from 'aws-cdk-lib/aws-dynamodb'
import * as s3 from 'aws-cdk-lib/aws-s3'
import type { Construct } from 'constructs'
import { EXPIRING } from '../src/hosts/aws/spill.ts'
import { tableDefinition } from '../src/hosts/aws/table.ts'

const text = (name: string) => ({ name, type: dynamodb.AttributeType.STRING })

export function createTable(scope: Construct): dynamodb.Table {
  // The program's own definition, which the tests' local table is made from too.
  const definition = tableDefinition('')
  const [p, k] = definition.KeySchema
  const table = new dynamodb.Table(scope, 'Table', {
    partitionKey: text(p!.AttributeName),
    sortKey: text(k!.AttributeName),
    billingMode: dynamodb.BillingMode.PAY_PER_REQUEST,
    timeToLiveAttribute: 'x',
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    // By a key of AWS's own: any other is paid by the request.
    encryption: dynamodb.TableEncryption.DEFAULT,
    deletionProtection: true,
    removalPolicy: RemovalPolicy.RETAIN,
  })
  for (const { IndexName, KeySchema, Projection } of definition.GlobalSecondaryIndexes) {
    const [hash, range] = KeySchema
    table.addGlobalSecondaryIndex({
      indexName: IndexName,
      partitionKey: text(hash!.AttributeName),
      sortKey: text(range!.AttributeName),
      projectionType: dynamodb.ProjectionType[Projection.ProjectionType],
      ...('NonKeyAttributes' in Projection
        ? { nonKeyAttributes: [...Projection.NonKeyAttributes] }
        : {}),
    })
  }
  return table
}

export function createBucket(scope: Construct): s3.Bucket {
  const bucket = new s3.Bucket(scope, 'Bucket', {
    blockPublicAccess: s3.BlockPublicAccess.BLOCK_ALL,
    encryption: s3.BucketEncryption.S3_MANAGED,
    enforceSSL: true,
    minimumTLSVersion: 1.2,
    objectOwnership: s3.ObjectOwnership.BUCKET_OWNER_ENFORCED,
    versioned: true,
    lifecycleRules: [
      {
        noncurrentVersionExpiration: Duration.days(30),
        // What deleted objects leave behind would be stepped over by every listing, for ever.
        expiredObjectDeleteMarker: true,
        abortIncompleteMultipartUploadAfter: Duration.days(1),
      },
      // Bodies of rows that the table forgets by itself.
      { prefix: EXPIRING.prefix, expiration: Duration.days(EXPIRING.days) },
    ],
    removalPolicy: RemovalPolicy.RETAIN,
  })
  Validations.of(bucket).acknowledge({
    id: 'AwsSolutions-S1',
    reason: 'Only the functions reach it; every request that matters stands in the log of a run.',
  })
  return bucket
}
