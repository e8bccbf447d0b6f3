/**
 * When somebody must look: errors, 5xx, dead letters, a clock that does not reach what is due,
 * throttles; and when those who would tell of it are silent themselves.
 */

import { Duration } from 'aws-cdk-lib'
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch'
import * as actions from 'aws-cdk-lib/aws-cloudwatch-actions'
import type * as lambda from 'aws-cdk-lib/aws-lambda'
import * as sns from 'aws-cdk-lib/aws-sns'
import * as subscriptions from 'aws-cdk-lib/aws-sns-subscriptions'
import type { Construct } from 'constructs'
import { type MetricName, NAMESPACE } from '../src/hosts/aws/metrics.ts'

/** Within five minutes; fewer are somebody's odd run. */
const MANY_ERRORS = 10
/** A partition is due again within a minute or so; five mean that the clock stands still. */
const OLDEST_SECONDS = 300

export interface Watched {
  readonly functions: Readonly<Record<string, lambda.Function>>
  readonly http: lambda.Function
  readonly dead: lambda.Function
  readonly email: string | undefined
}

export function createAlarms(scope: Construct, watched: Watched): sns.Topic {
  const topic = new sns.Topic(scope, 'Alarms', { enforceSSL: true })
  if (watched.email) topic.addSubscription(new subscriptions.EmailSubscription(watched.email))
  const ring = (id: string, options: cloudwatch.AlarmProps): void => {
    new cloudwatch.Alarm(scope, id, options).addAlarmAction(new actions.SnsAction(topic))
  }
  const own = (metricName: MetricName, statistic: string): cloudwatch.Metric =>
    new cloudwatch.Metric({ namespace: NAMESPACE, metricName, statistic, period: minutes(1) })
  const quiet = { treatMissingData: cloudwatch.TreatMissingData.NOT_BREACHING }
  ring('DeadLetters', {
    alarmDescription: 'A message was given up: see the log of the function Dead.',
    metric: own('DeadLetters', 'Sum'),
    threshold: 1,
    evaluationPeriods: 1,
    comparisonOperator: AT_LEAST,
    ...quiet,
  })
  ring('OldestDue', {
    alarmDescription: 'What is due is not looked at: see the log of the function Clock.',
    metric: own('OldestDueSeconds', 'Maximum'),
    threshold: OLDEST_SECONDS,
    evaluationPeriods: 3,
    comparisonOperator: AT_LEAST,
    ...quiet,
  })
  ring('ClockStopped', {
    alarmDescription: 'The clock has not come to its end for five minutes: see its log.',
    // Its own word at its end: who is called and fails each time is called all the same.
    metric: own('Due', 'SampleCount').with({ period: minutes(5) }),
    threshold: 1,
    evaluationPeriods: 1,
    comparisonOperator: cloudwatch.ComparisonOperator.LESS_THAN_THRESHOLD,
    treatMissingData: cloudwatch.TreatMissingData.BREACHING,
  })
  ring('Errors', {
    alarmDescription: 'The log has many errors: filter it by "Errors".',
    metric: own('Errors', 'Sum').with({ period: minutes(5) }),
    threshold: MANY_ERRORS,
    evaluationPeriods: 1,
    comparisonOperator: AT_LEAST,
    ...quiet,
  })
  ring('Http5xx', {
    alarmDescription: 'Requests are answered with 5xx: see the log of the function Http.',
    // docs.aws.amazon.com/lambda/latest/dg/urls-monitoring.html
    metric: watched.http.metric('Url5xxCount', { period: minutes(5), statistic: 'Sum' }),
    threshold: MANY_ERRORS,
    evaluationPeriods: 1,
    comparisonOperator: AT_LEAST,
    ...quiet,
  })
  ring('DeadFails', {
    alarmDescription: 'The function that tells of dead letters fails: see its log.',
    metric: watched.dead.metricErrors({ period: minutes(5), statistic: 'Sum' }),
    threshold: 1,
    evaluationPeriods: 1,
    comparisonOperator: AT_LEAST,
    ...quiet,
  })
  for (const [name, made] of Object.entries(watched.functions)) {
    ring(`${name}Throttles`, {
      alarmDescription: `The function ${name} was refused: raise its lane or the account's limit.`,
      metric: made.metricThrottles({ period: minutes(5), statistic: 'Sum' }),
      threshold: 10,
      evaluationPeriods: 3,
      comparisonOperator: AT_LEAST,
      ...quiet,
    })
  }
  return topic
}

const AT_LEAST = cloudwatch.ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD
const minutes = (count: number): Duration => Duration.minutes(count)
