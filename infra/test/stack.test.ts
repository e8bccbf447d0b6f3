/** Resources that the stack deploys, as far as the program relies on them. */

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { App } from 'aws-cdk-lib'
import { Match, type Template } from 'aws-cdk-lib/assertions'
import { describe, expect, it } from 'vitest'
import { tableDefinition } from '../../src/hosts/aws/table.ts'
import { commonOptions } from '../../src/hosts/shared/options.ts'
import { bundleLambda, loaded } from '../bundle.ts'
import { figuresIn, pageOf, resourceCounts } from '../figures.ts'
import { settingsOf } from '../settings.ts'
import { MEMORY } from '../stack.ts'
import { synthesized, template } from './synth.ts'

/** Permissions that each request of the SDK needs; a transaction needs those of its parts. */
const PERMISSIONS: Readonly<Record<string, readonly string[]>> = {
  GetItem: ['dynamodb:GetItem'],
  BatchGetItem: ['dynamodb:BatchGetItem'],
  Query: ['dynamodb:Query'],
  PutItem: ['dynamodb:PutItem'],
  UpdateItem: ['dynamodb:UpdateItem'],
  DeleteItem: ['dynamodb:DeleteItem'],
  BatchWriteItem: ['dynamodb:BatchWriteItem'],
  TransactWriteItems: ['dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem'],
  GetObject: ['s3:GetObject'],
  HeadObject: ['s3:GetObject'],
  PutObject: ['s3:PutObject'],
  DeleteObject: ['s3:DeleteObject'],
  ListObjectsV2: ['s3:ListBucket'],
  SendMessageBatch: ['sqs:SendMessage'],
  // Of containers alone; event sources are granted theirs.
  ReceiveMessage: [],
  DeleteMessage: [],
  GetSecretValue: ['secretsmanager:GetSecretValue'],
}
const ARN = 'arn:aws:wafv2:us-east-1:000000000000:global/webacl/Strata/0-a'
const LANES = { LaneMain: 64, LaneSubagent: 128, LaneBackground: 16, LaneResume: 128 }

it('the page states the counts of the default stack', () => {
  const counts = resourceCounts(template.toJSON() as Parameters<typeof resourceCounts>[0])
  expect(figuresIn(pageOf('aws.md'), 'resources')).toBe(counts)
})

describe('storage', () => {
  it('the table is the one that the program and its tests define', () => {
    const { KeySchema, GlobalSecondaryIndexes, BillingMode } = tableDefinition('')
    template.hasResource('AWS::DynamoDB::Table', {
      DeletionPolicy: 'Retain',
      Properties: {
        KeySchema,
        BillingMode,
        GlobalSecondaryIndexes,
        TimeToLiveSpecification: { AttributeName: 'x', Enabled: true },
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
        DeletionProtectionEnabled: true,
      },
    })
  })

  it('the bucket is private, encrypted, versioned, and stays', () => {
    template.hasResource('AWS::S3::Bucket', {
      DeletionPolicy: 'Retain',
      Properties: {
        PublicAccessBlockConfiguration: { BlockPublicAcls: true, RestrictPublicBuckets: true },
        VersioningConfiguration: { Status: 'Enabled' },
        LifecycleConfiguration: {
          Rules: Match.arrayWith([
            Match.objectLike({ ExpiredObjectDeleteMarker: true, Status: 'Enabled' }),
            Match.objectLike({ Prefix: 'expiring/', ExpirationInDays: 45, Status: 'Enabled' }),
          ]),
        },
      },
    })
  })
})

describe('lanes', () => {
  it('are as wide as those of a server, unless they are set', () => {
    const { delivery, ...widths } = commonOptions({}).widths
    expect(delivery).toBeGreaterThan(0)
    expect(settingsOf(new App()).lanes).toEqual(widths)
  })

  it('each queue has dead letters of its own, and those have a consumer', () => {
    template.resourceCountIs('AWS::SQS::Queue', 8)
    const queues = template.findResources('AWS::SQS::Queue')
    const withDead = Object.values(queues).filter(({ Properties }) => Properties.RedrivePolicy)
    expect(withDead).toHaveLength(4)
    template.resourceCountIs('AWS::Lambda::EventSourceMapping', 8)
  })

  it('a lane is as wide as it was set: one message a time, so many at once', () => {
    for (const width of Object.values(LANES)) {
      template.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
        BatchSize: 1,
        FunctionResponseTypes: ['ReportBatchItemFailures'],
        ScalingConfig: { MaximumConcurrency: width },
      })
      template.hasResourceProperties('AWS::Lambda::Function', {
        Handler: 'lambda.work',
        ReservedConcurrentExecutions: width,
        RecursiveLoop: 'Allow',
      })
    }
    const wide = synthesized({ 'lane-main': '20' })
    wide.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
      ScalingConfig: { MaximumConcurrency: 20 },
    })
    expect(() => synthesized({ 'lane-main': '1' })).toThrow(/from 2 to 1000/)
    const small = synthesized({ reserve: 'false' })
    for (const { Properties } of Object.values(small.findResources('AWS::Lambda::Function')))
      expect(Properties).not.toHaveProperty('ReservedConcurrentExecutions')
    small.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
      ScalingConfig: { MaximumConcurrency: LANES.LaneMain },
    })
  })

  it('requests are bounded when that is set, and a stage has a secret of its own', () => {
    synthesized({ 'reserve-http': '50' }).hasResourceProperties('AWS::Lambda::Function', {
      Handler: 'lambda.http',
      ReservedConcurrentExecutions: 50,
    })
    expect(() => synthesized({ 'reserve-http': '0' })).toThrow(/from 1 to 1000/)
    const text = JSON.stringify(synthesized({ stage: 'prod' }).toJSON())
    expect(text).toContain('strata/prod')
    expect(text).not.toContain('strata/settings')
    expect(() => synthesized({ stage: 'Prod' })).toThrow(/a stage name must start with a letter/)
  })

  it('a setting without a meaning is refused', () => {
    expect(() => synthesized({ plain: 'MAX_DEPTH' })).toThrow(/NAME=value/)
    expect(() => synthesized({ reserve: 'no' })).toThrow(/true or false/)
  })

  it('a message stays hidden longer than a function may take', () => {
    const functions = Object.values(template.findResources('AWS::Lambda::Function'))
    const longest = Math.max(...functions.map(({ Properties }) => Properties.Timeout ?? 0))
    for (const { Properties } of Object.values(template.findResources('AWS::SQS::Queue')))
      if (Properties.RedrivePolicy)
        expect(Properties.VisibilityTimeout).toBeGreaterThanOrEqual(6 * longest)
  })
})

it('tells containers that share its storage where everything is', () => {
  const { TableName, BucketName, ...outputs } = template.findOutputs('*')
  expect([TableName, BucketName]).not.toContain(undefined)
  for (const lane of ['Main', 'Subagent', 'Background', 'Resume'])
    expect(outputs).toHaveProperty(`Queue${lane}`)
})

describe('functions', () => {
  it('requests are answered as streams; the clock is called each minute', () => {
    template.hasResourceProperties('AWS::Lambda::Url', { InvokeMode: 'RESPONSE_STREAM' })
    template.hasResourceProperties('AWS::Events::Rule', { ScheduleExpression: 'rate(1 minute)' })
  })

  it('secrets come from Secrets Manager by name, never as text in the template', () => {
    template.hasResourceProperties('AWS::Lambda::Function', {
      Environment: {
        Variables: Match.objectLike({
          STRATA_SECRET: 'strata/settings',
          STRATA_SECRET_VARIABLES: 'STRATA_MASTER_KEY,STRATA_ADMIN_KEY,OPENAI_API_KEY',
        }),
      },
    })
    // Values that the template resolves would be visible in the function's configuration.
    expect(JSON.stringify(template.toJSON())).not.toContain('{{resolve')
  })

  it('the function of dead letters gets no variable and may read no secret', () => {
    const functions = Object.values(template.findResources('AWS::Lambda::Function'))
    const [dead] = functions.filter(({ Properties }) => Properties.Handler === 'lambda.dead')
    expect(dead!.Properties).not.toHaveProperty('Environment')
    const policies = Object.entries(template.findResources('AWS::IAM::Policy'))
    for (const [name, { Properties }] of policies) {
      const mayRead = JSON.stringify(Properties.PolicyDocument).includes('secretsmanager:')
      expect(mayRead, name).toBe(!name.startsWith('Dead'))
    }
  })

  it('no role may do everything, and the counter of dead letters sees no data', () => {
    const policies = Object.entries(template.findResources('AWS::IAM::Policy'))
    expect(policies.length).toBeGreaterThan(6)
    for (const [name, { Properties }] of policies) {
      const text = JSON.stringify(Properties.PolicyDocument)
      expect(text, name).not.toMatch(/"(dynamodb|s3|sqs|logs|iam):\*"|"Action":"\*"/)
      expect(text, name).not.toMatch(/"Resource":"\*"/)
      if (name.startsWith('Dead')) expect(text).not.toMatch(/dynamodb|s3:/)
    }
  })

  it('a role may send the requests that the program sends, no others', () => {
    const folder = join(import.meta.dirname, '../../src/hosts/aws')
    const code = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
    const sent = new Set(code.join('').match(/(?<=new )[A-Z]\w+(?=Command\()/g))
    const wanted = new Set([...sent].flatMap((name) => PERMISSIONS[name] ?? [`none for ${name}`]))
    const policies = Object.entries(template.findResources('AWS::IAM::Policy'))
    const [, http] = policies.find(([name]) => name.startsWith('Http'))!
    const statements: { Action: string | string[] }[] = http.Properties.PolicyDocument.Statement
    const allowed = statements.flatMap(({ Action }) => Action)
    const ours = allowed.filter((name) => !name.startsWith('logs:'))
    expect([...new Set(ours)].sort()).toEqual([...wanted].sort())
  })
})

it('models of Bedrock are asked only where they are named, by those who ask models', () => {
  const statements = (from: Template, role: string): { Action: unknown; Resource: unknown }[] => {
    const policies = Object.entries(from.findResources('AWS::IAM::Policy'))
    const [, found] = policies.find(([name]) => name.startsWith(role))!
    const all = found.Properties.PolicyDocument.Statement as {
      Action: unknown
      Resource: unknown
    }[]
    return all.filter(({ Action }) => JSON.stringify(Action).includes('bedrock:'))
  }
  const given = { bedrock: 'anthropic.claude-sonnet-4-5*,eu.amazon.nova-lite-v1:0' }
  const named = synthesized(given)
  for (const role of ['Http', 'LaneMain']) {
    expect(statements(template, role)).toEqual([])
    const [only, ...more] = statements(named, role)
    expect(more).toEqual([])
    expect(only!.Action).toEqual(['bedrock:InvokeModel', 'bedrock:InvokeModelWithResponseStream'])
    const arns = JSON.stringify(only!.Resource)
    expect(arns.match(/bedrock:/g)).toHaveLength(3)
    expect(arns).toContain(':bedrock:*::foundation-model/anthropic.claude-sonnet-4-5*"')
    expect(arns).toContain(':bedrock:*::foundation-model/amazon.nova-lite-v1:0"')
    expect(arns).toContain(':inference-profile/eu.amazon.nova-lite-v1:0"')
  }
  for (const role of ['Clock', 'Dead']) expect(statements(named, role)).toEqual([])
  expect(() => synthesized({ bedrock: '*' })).toThrow(/bedrock must be ids of models/)
})

it('calls are traced when that is wanted, and no role may do more for it than it must', () => {
  const modes = (from: Template) =>
    Object.values(from.findResources('AWS::Lambda::Function')).map(
      ({ Properties }) => Properties.TracingConfig?.Mode,
    )
  expect(new Set(modes(template))).toEqual(new Set([undefined]))
  const traced = synthesized({ tracing: 'true' })
  expect(modes(traced)).toEqual(modes(traced).map(() => 'Active'))
  for (const [name, { Properties }] of Object.entries(traced.findResources('AWS::IAM::Policy'))) {
    const everywhere = Properties.PolicyDocument.Statement.filter(
      ({ Resource }: { Resource: unknown }) => Resource === '*',
    )
    expect(everywhere, name).toMatchObject([
      { Action: ['xray:PutTraceSegments', 'xray:PutTelemetryRecords'] },
    ])
  }
  expect(() => synthesized({ tracing: 'yes' })).toThrow(/tracing must be true or false/)
})

it('the least of the functions has room for the program', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'strata-memory-'))
  try {
    await bundleLambda(folder)
    const { rss } = loaded(folder)
    // The platform's own part of the process, and what a few requests need.
    expect(Math.min(...Object.values(MEMORY)) - rss / 1_048_576).toBeGreaterThan(64)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

it.each([
  ['as it is by default', []],
  ['traced, behind a distribution', ['tracing=true', `firewall=${ARN}`]],
  ['with models of Bedrock', ['bedrock=anthropic.claude-sonnet-4-5*,eu.amazon.nova-lite-v1:0']],
  ['the firewall', ['first=firewall', 'cdn=true']],
])('cdk-nag finds nothing that is not acknowledged with a reason: %s', (_, settings) => {
  const folder = mkdtempSync(join(tmpdir(), 'strata-synth-'))
  const infra = join(import.meta.dirname, '..')
  try {
    execFileSync(process.execPath, ['bundle.ts'], { cwd: infra, stdio: 'pipe' })
    const cdk = join(infra, 'node_modules/aws-cdk/bin/cdk')
    const app = ['--app', `${process.execPath} app.ts`, '--output', folder]
    const quiet = ['--no-notices', '--no-lookups', '--quiet']
    const given = settings.flatMap((pair) => ['-c', pair])
    // A finding makes it fail.
    const args = [cdk, 'synth', ...app, ...quiet, ...given]
    execFileSync(process.execPath, args, { cwd: infra, stdio: 'pipe' })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
