/** CloudFront in front of the function URL when it is requested, and nothing otherwise. */

import { App } from 'aws-cdk-lib'
import { Match, Template } from 'aws-cdk-lib/assertions'
import { describe, expect, it } from 'vitest'
import { LIMITS } from '../../src/core/limits.ts'
import { FirewallStack, TOO_LONG } from '../firewall.ts'
import { settingsOf } from '../settings.ts'
import { synthesized, template } from './synth.ts'

const ARN = 'arn:aws:wafv2:us-east-1:000000000000:global/webacl/Strata/0-a'
const withFront = synthesized({ cdn: 'true', firewall: ARN, revision: '7' })

describe('the distribution', () => {
  it('is there only when it is asked for, and never without a firewall', () => {
    template.resourceCountIs('AWS::CloudFront::Distribution', 0)
    expect(JSON.stringify(template.toJSON())).not.toContain('STRATA_ORIGIN_KEY')
    withFront.resourceCountIs('AWS::CloudFront::Distribution', 1)
    expect(() => synthesized({ cdn: 'true' })).toThrow(/go together/)
    expect(() => synthesized({ cdn: 'false', firewall: ARN })).toThrow(/go together/)
    expect(() => synthesized({ cdn: 'true', firewall: 'arn:aws:wafv2:eu-west-1:1:x' })).toThrow(
      /the ARN of a web ACL of CloudFront/,
    )
  })

  it('caches nothing, passes on all but the host, and waits as long as CloudFront may', () => {
    withFront.hasResourceProperties('AWS::CloudFront::Distribution', {
      DistributionConfig: {
        DefaultCacheBehavior: Match.objectLike({
          // Managed: CachingDisabled, AllViewerExceptHostHeader.
          CachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
          OriginRequestPolicyId: 'b689b0a8-53d0-40ab-baf2-68738e2966ac',
          AllowedMethods: Match.arrayWith(['PUT', 'PATCH', 'POST', 'DELETE']),
          ViewerProtocolPolicy: 'https-only',
          Compress: false,
        }),
        Origins: [
          Match.objectLike({
            CustomOriginConfig: Match.objectLike({
              OriginProtocolPolicy: 'https-only',
              OriginReadTimeout: 120,
            }),
          }),
        ],
        WebACLId: ARN,
      },
    })
  })

  it('sends the key that the function of requests, and no other, asks for', () => {
    const [made] = Object.values(withFront.findResources('AWS::CloudFront::Distribution'))
    const { Origins, Comment } = made!.Properties.DistributionConfig
    expect(Origins[0].OriginCustomHeaders).toEqual([
      {
        HeaderName: 'x-strata-origin-key',
        HeaderValue: '{{resolve:secretsmanager:strata/settings:SecretString:STRATA_ORIGIN_KEY::}}',
      },
    ])
    // What does not change is not resolved anew.
    expect(Comment).toContain('7')
    const functions = Object.values(withFront.findResources('AWS::Lambda::Function'))
    const asking = functions.filter(({ Properties }) =>
      Properties.Environment?.Variables.STRATA_SECRET_VARIABLES.includes('STRATA_ORIGIN_KEY'),
    )
    expect(asking.map(({ Properties }) => Properties.Handler)).toEqual(['lambda.http'])
  })

  it('is what the stack prints as its address', () => {
    const { Url } = withFront.findOutputs('Url')
    expect(JSON.stringify(Url)).toContain('DomainName')
    expect(JSON.stringify(template.findOutputs('Url'))).toContain('FunctionUrl')
  })
})

describe('the firewall', () => {
  const app = new App({ context: { rate: '500' } })
  const stack = new FirewallStack(app, 'Test-Firewall', settingsOf(app))
  const [acl] = Object.values(Template.fromStack(stack).findResources('AWS::WAFv2::WebACL'))
  interface Rule {
    readonly Name: string
    readonly Priority: number
    readonly Action?: unknown
    readonly Statement: Record<string, Record<string, unknown>>
  }
  const rules: readonly Rule[] = acl!.Properties.Rules
  const named = (name: string): Rule => rules.find(({ Name }) => Name === name)!

  it('is one of CloudFront, which lies in us-east-1, and lets through what no rule refuses', () => {
    expect(stack.region).toBe('us-east-1')
    expect(acl!.Properties).toMatchObject({ Scope: 'CLOUDFRONT', DefaultAction: { Allow: {} } })
    expect(new Set(rules.map(({ Priority }) => Priority)).size).toBe(rules.length)
  })

  it('429 for an address that asks too often', () => {
    expect(named('Rate')).toMatchObject({
      Action: { Block: { CustomResponse: { ResponseCode: 429 } } },
      Statement: { RateBasedStatement: { Limit: 500, AggregateKeyType: 'IP' } },
    })
    expect(() => synthesized({ rate: '9' })).toThrow(/rate must be a whole number from 10/)
  })

  it('413 for bodies beyond all that we take, and for none that we do', () => {
    const { RegexMatchStatement } = named('Length').Statement
    expect(RegexMatchStatement).toMatchObject({
      FieldToMatch: { SingleHeader: { Name: 'content-length' } },
      RegexString: TOO_LONG,
    })
    const isBlocked = (length: number) => new RegExp(TOO_LONG).test(String(length))
    for (const legal of [0, LIMITS.json_body_bytes, LIMITS.file_body_bytes, 1_999_999])
      expect(isBlocked(legal), `${legal}`).toBe(false)
    for (const long of [2_000_000, 6_291_456, 10 ** 9])
      expect(isBlocked(long), `${long}`).toBe(true)
  })

  it('only counts where bodies, names of files or long keys look like attacks', () => {
    const { ManagedRuleGroupStatement } = named('AWSManagedRulesCommonRuleSet').Statement
    const overrides = ManagedRuleGroupStatement!.RuleActionOverrides as {
      Name: string
      ActionToUse: unknown
    }[]
    for (const { ActionToUse } of overrides) expect(ActionToUse).toEqual({ Count: {} })
    const counted = overrides.map(({ Name }) => Name)
    for (const part of ['CrossSiteScripting', 'GenericLFI', 'GenericRFI', 'EC2MetaDataSSRF'])
      expect(counted).toContain(`${part}_BODY`)
    expect(counted).toContain('SizeRestrictions_BODY')
    expect(counted).toContain('RestrictedExtensions_URIPATH')
    expect(counted).not.toContain('CrossSiteScripting_URIPATH')
  })
})
