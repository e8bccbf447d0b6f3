/** The CDK app: the stack, or the firewall of its distribution, checked by cdk-nag at every synth. */

import { App, Validations } from 'aws-cdk-lib'
import { AwsSolutionsChecks } from 'cdk-nag'
import { stackName } from '../src/cli/deploy/command.ts'
import { FirewallStack } from './firewall.ts'
import { settingsOf } from './settings.ts'
import { StrataStack } from './stack.ts'

const app = new App()
// Set by src/cli/deploy/aws.ts, like `bundle`: the web ACL has to be there before the rest can name it.
const isFirst = app.node.tryGetContext('first') === 'firewall'
if (isFirst) app.node.setContext('cdn', 'false')
const settings = settingsOf(app)
const name = stackName(settings.stage)
if (isFirst) new FirewallStack(app, `${name}-Firewall`, settings)
else new StrataStack(app, name, { settings, bundle: app.node.getContext('bundle') })
Validations.of(app).addPlugins(new AwsSolutionsChecks(app))
app.synth()
