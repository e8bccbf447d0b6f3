/** Alarms and their receivers. */

import { expect, it } from 'vitest'
import { template } from './synth.ts'

it('alarms ring for dead letters, for what is overdue, for throttles', () => {
  for (const MetricName of ['DeadLetters', 'OldestDueSeconds'])
    template.hasResourceProperties('AWS::CloudWatch::Alarm', { MetricName, Namespace: 'Strata' })
  template.hasResourceProperties('AWS::CloudWatch::Alarm', { MetricName: 'Throttles' })
  template.hasResourceProperties('AWS::CloudWatch::Alarm', {
    MetricName: 'DeadLetters',
    Threshold: 1,
  })
})

it('alarms ring when wakes lie in a queue for longer than a function may work on one', () => {
  const alarms = template.findResources('AWS::CloudWatch::Alarm', {
    Properties: { MetricName: 'ApproximateAgeOfOldestMessage', Statistic: 'Maximum' },
  })
  const watched = Object.values(alarms).map(({ Properties }) => {
    const [{ Value }] = Properties.Dimensions
    return [Value['Fn::GetAtt'][0].replace(/Queue.*/, ''), Properties.Threshold]
  })
  const seconds = { Main: 1_200, Subagent: 1_200, Background: 4_500, Resume: 1_200 }
  expect(Object.fromEntries(watched)).toEqual(seconds)
})

it('alarms ring for functions that die, and for a table that refuses, indexes and all', () => {
  const metricsOf = (id: string): { MetricStat?: { Metric: Record<string, unknown> } }[] => {
    const alarms = Object.entries(template.findResources('AWS::CloudWatch::Alarm'))
    const [, found] = alarms.find(([name]) => name.startsWith(id)) ?? []
    expect(found?.Properties.TreatMissingData).toBe('notBreaching')
    return found?.Properties.Metrics
  }
  const stats = (id: string) =>
    metricsOf(id).flatMap(({ MetricStat }) => (MetricStat ? [MetricStat.Metric] : []))
  const all = template.findResources('AWS::Lambda::Function')
  const ours = Object.keys(all).filter((name) => all[name]!.Properties.Handler !== 'lambda.dead')
  const died = stats('Crashes')
  expect(died.map(({ MetricName }) => MetricName)).toEqual(ours.map(() => 'Errors'))
  const named = died.map(({ Dimensions }) => (Dimensions as [{ Value: { Ref: string } }])[0])
  expect(named.map(({ Value }) => Value.Ref).sort()).toEqual(ours.sort())
  const refused = stats('TableThrottles').map(({ MetricName, Dimensions }) => {
    const [index] = (Dimensions as { Name: string; Value: string }[])
      .filter(({ Name }) => Name === 'GlobalSecondaryIndexName')
      .map(({ Value }) => Value)
    return `${MetricName} ${index ?? 'table'}`
  })
  const places = ['table', 'alarms', 'lists']
  const kinds = ['ReadThrottleEvents', 'WriteThrottleEvents']
  expect(refused.sort()).toEqual(
    kinds.flatMap((kind) => places.map((one) => `${kind} ${one}`)).sort(),
  )
  const sums = [metricsOf('Crashes'), metricsOf('TableThrottles')].map(
    (metrics) =>
      (metrics as { Expression?: string }[]).find(({ Expression }) => Expression)?.Expression,
  )
  expect(sums[0]).toMatch(/^FILL\(m0, 0\)( \+ FILL\(m\d, 0\)){5}$/)
  expect(sums[1]).toMatch(/^FILL\(m0, 0\)( \+ FILL\(m\d, 0\)){5}$/)
})

it('alarms ring for many errors, and for requests that are answered with 5xx', () => {
  template.hasResourceProperties('AWS::CloudWatch::Alarm', {
    MetricName: 'Errors',
    Namespace: 'Strata',
    Threshold: 10,
  })
  const [http] = Object.keys(
    template.findResources('AWS::Lambda::Function', { Properties: { Handler: 'lambda.http' } }),
  )
  template.hasResourceProperties('AWS::CloudWatch::Alarm', {
    MetricName: 'Url5xxCount',
    Namespace: 'AWS/Lambda',
    Dimensions: [{ Name: 'FunctionName', Value: { Ref: http } }],
  })
})

it('alarms ring when a clock that is called fails, and when dead letters are not told of', () => {
  template.hasResourceProperties('AWS::CloudWatch::Alarm', {
    Namespace: 'Strata',
    MetricName: 'Due',
    Statistic: 'SampleCount',
    TreatMissingData: 'breaching',
  })
  const [dead] = Object.keys(
    template.findResources('AWS::Lambda::Function', { Properties: { Handler: 'lambda.dead' } }),
  )
  template.hasResourceProperties('AWS::CloudWatch::Alarm', {
    MetricName: 'Errors',
    Dimensions: [{ Name: 'FunctionName', Value: { Ref: dead } }],
  })
})
