/**
 * The functions: one for requests, one a lane, one for the clock and one for dead letters, all of
 * the same bundle. Each has a role of its own that may do what it does and no more.
 */

import { type CfnElement, Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib'
import type * as dynamodb from 'aws-cdk-lib/aws-dynamodb'
import * as iam from 'aws-cdk-lib/aws-iam'
import * as lambda from 'aws-cdk-lib/aws-lambda'
import * as logs from 'aws-cdk-lib/aws-logs'
import type * as s3 from 'aws-cdk-lib/aws-s3'
import type { Construct } from 'constructs'
import { ORIGIN_KEY } from './cdn.ts'
import type { LaneQueues } from './lanes.ts'
import { FUNCTION_MINUTES } from './queues.ts'
import { LANES, type Lane, type Settings } from './settings.ts'

export interface Storage {
  readonly table: dynamodb.Table
  readonly bucket: s3.Bucket
  readonly queues: Readonly<Record<Lane, LaneQueues>>
}

export type HandlerName = 'http' | 'work' | 'clock' | 'dead'

export interface FunctionOptions {
  readonly handler: HandlerName
  readonly code: lambda.Code
  readonly settings: Settings
  readonly storage: Storage
  readonly memory: number
  readonly reserved?: number
}

/** A clock that hangs must not keep the next one out for long. */
const TIMEOUTS: Readonly<Record<HandlerName, Duration>> = {
  http: Duration.minutes(FUNCTION_MINUTES),
  work: Duration.minutes(FUNCTION_MINUTES),
  clock: Duration.minutes(3),
  dead: Duration.seconds(30),
}

export function createFunction(
  scope: Construct,
  id: string,
  options: FunctionOptions,
): lambda.Function {
  const { handler, storage } = options
  const logGroup = new logs.LogGroup(scope, `${id}Log`, {
    retention: logs.RetentionDays.ONE_MONTH,
    removalPolicy: RemovalPolicy.DESTROY,
  })
  const role = new iam.Role(scope, `${id}Role`, {
    assumedBy: new iam.ServicePrincipal('lambda.amazonaws.com'),
  })
  logGroup.grantWrite(role)
  const made = new lambda.Function(scope, id, {
    runtime: lambda.Runtime.NODEJS_24_X,
    architecture: lambda.Architecture.ARM_64,
    handler: `lambda.${handler}`,
    code: options.code,
    role,
    logGroup,
    memorySize: options.memory,
    timeout: TIMEOUTS[handler],
    tracing: options.settings.tracing ? lambda.Tracing.ACTIVE : lambda.Tracing.DISABLED,
    environment: environment(options),
    // A run wakes itself through its queue: to the platform that looks like a loop. Wakes count
    // their hops, and above a bound the clock takes over (PROTOCOL.md rule 35).
    recursiveLoop: lambda.RecursiveLoop.ALLOW,
    ...(options.reserved === undefined ? {} : { reservedConcurrentExecutions: options.reserved }),
  })
  if (options.settings.tracing)
    Validations.of(role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'X-Ray has no resources: a segment is put into the account.',
    })
  if (handler !== 'dead') {
    grantStorage(role, storage)
    grantSecret(role, options.settings)
    // The clock asks no model.
    if (handler !== 'clock') grantBedrock(role, options.settings)
  }
  return made
}

/** The one that counts dead letters reads nothing and gets nothing. */
function environment({ handler, settings, storage }: FunctionOptions): Record<string, string> {
  if (handler === 'dead') return {}
  // The door of requests alone asks for it.
  const doorKey = handler === 'http' && settings.firewall !== undefined ? [ORIGIN_KEY] : []
  return {
    STRATA_REVISION: settings.revision,
    STRATA_TABLE: storage.table.tableName,
    STRATA_BUCKET: storage.bucket.bucketName,
    ...Object.fromEntries(
      LANES.map((lane) => [
        `STRATA_QUEUE_${lane.toUpperCase()}`,
        storage.queues[lane].queue.queueUrl,
      ]),
    ),
    ...settings.plain,
    STRATA_SECRET: settings.secretName,
    STRATA_SECRET_VARIABLES: [...new Set([...settings.variables, ...doorKey])].join(','),
  }
}

/** Secrets Manager ends a secret's name in its ARN with a hyphen and six characters of its own. */
function grantSecret(role: iam.Role, { secretName }: Settings): void {
  const { partition, region, account } = Stack.of(role)
  const arn = `arn:${partition}:secretsmanager:${region}:${account}:secret:${secretName}-??????`
  const actions = ['secretsmanager:GetSecretValue']
  role.addToPolicy(new iam.PolicyStatement({ actions, resources: [arn] }))
}

/** Names of inference profiles begin with the regions that they spread over. */
const REGIONS = /^(?:us|us-gov|eu|apac|jp|au|ca|global)\./

/** A profile hands over to its model in any of its regions, and both must be granted. */
function grantBedrock(role: iam.Role, { bedrock }: Settings): void {
  if (bedrock.length === 0) return
  const named = (partition: string, account: string): string[] =>
    bedrock.flatMap((id) => {
      const model = `arn:${partition}:bedrock:*::foundation-model/${id.replace(REGIONS, '')}`
      const profile = `arn:${partition}:bedrock:*:${account}:inference-profile/${id}`
      return REGIONS.test(id) ? [model, profile] : [model]
    })
  const { partition, account } = Stack.of(role)
  const actions = ['bedrock:InvokeModel', 'bedrock:InvokeModelWithResponseStream']
  role.addToPolicy(new iam.PolicyStatement({ actions, resources: named(partition, account) }))
  // cdk-nag names the stack's own account so.
  for (const resource of named('<AWS::Partition>', '<AWS::AccountId>'))
    Validations.of(role).acknowledge({
      id: `AwsSolutions-IAM5[Resource::${resource}]`,
      reason: 'A profile chooses among regions, and the operator has named the models.',
    })
}

/** Exactly the requests that src/hosts/aws makes. */
function grantStorage(role: iam.Role, { table, bucket, queues }: Storage): void {
  const allow = (actions: string[], resources: string[]): void => {
    role.addToPolicy(new iam.PolicyStatement({ actions, resources }))
  }
  const items = ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem']
  allow(
    [...items, 'BatchWriteItem'].map((name) => `dynamodb:${name}`),
    [table.tableArn],
  )
  allow(
    ['dynamodb:Query'],
    ['alarms', 'lists'].map((name) => `${table.tableArn}/index/${name}`),
  )
  allow(['s3:ListBucket'], [bucket.bucketArn])
  allow(['s3:GetObject', 's3:PutObject', 's3:DeleteObject'], [bucket.arnForObjects('*')])
  allow(
    ['sqs:SendMessage'],
    LANES.map((lane) => queues[lane].queue.queueArn),
  )
  const name = Stack.of(bucket).getLogicalId(bucket.node.defaultChild as CfnElement)
  Validations.of(role).acknowledge({
    id: `AwsSolutions-IAM5[Resource::<${name}.Arn>/*]`,
    reason: 'Objects are named by tenants and digests: the bucket as a whole is what is granted.',
  })
}
