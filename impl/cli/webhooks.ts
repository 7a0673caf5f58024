import { Argument, type Command, InvalidArgumentError } from 'commander'
import { FailureType } from 'polgate-protocol/notification.ts'
import type { CommandDefinition } from './commandDefinition.ts'
import { targetOption } from './stack/serviceTarget.ts'
import type { ListenOptions } from './webhooks/listenWebhooks.ts'
import type { TriggerOptions } from './webhooks/triggerFailures.ts'

const types = FailureType.anyOf.map((each) => each.const)

const examples = `
Examples:
  polgate webhooks listen                                   print each delivery, and whether it is genuine
  polgate webhooks listen --forward-to http://127.0.0.1:3000/hook --secret-file webhook.secret
  polgate webhooks listen --types timeout,quorum_not_reached --json
  polgate webhooks trigger timeout                          a task that fails so, and what became of its delivery
  polgate webhooks trigger all`

const listenHelp = `
Examples:
  polgate webhooks listen --forward-to http://127.0.0.1:3000/hook --secret-env WEBHOOK_SECRET

Registers a webhook for the key of the target (rpc, else read), which covers tasks created with it, and removes
it at the end. Signature, idempotency key and time of each delivery are verified; only genuine ones are
forwarded, with the bytes and headers that arrived. The service is answered with the status of the local program,
and retries as in production: 502 without an answer, 504 if it takes longer than the webhook's timeout less
half a second, 401 for what is not genuine.

A remote service reaches a listener at --port through a tunnel: --url with its HTTPS address. A key has one webhook,
which a remote service does not show: --replace agrees to replace it.

The signing secret is never printed. --secret-file creates one for its owner's eyes; --secret-env takes yours.`

const triggerHelp = `
Examples:
  polgate webhooks trigger onchain_submission_failed
  polgate webhooks trigger all --json

Makes tasks fail on the running stack: ${types.join(', ')}. What has to fail for
it - operators, their keys, the right to post, the node - fails for that task and for others that run meanwhile,
and is restored. At a remote gateway only timeout is possible, and policy_evaluation_failed with a client named
trapping-oracle in the target file; others are refused.

Exit codes: 0 all happened, 1 one had another type or was not delivered to its webhook, 2 could not run.`

/** Receives and causes failure notifications. */
export const webhooks: CommandDefinition = {
  define(command: Command) {
    command.addHelpText('after', examples)
    const shared = (subcommand: Command) =>
      subcommand.option(...targetOption).option('--json', 'print JSON, one object per delivery')

    shared(command.command('listen'))
      .description('register a webhook, and print, verify and forward what it receives')
      .option('--forward-to <url>', 'local program, such as http://127.0.0.1:3000/hook')
      .option('--types <types>', 'failure types, separated by commas (default: all)', typesOf)
      .option('--secret-env <name>', 'variable with the signing secret')
      .option('--secret-file <file>', 'file with the signing secret, created if there is none')
      .option('--timeout <seconds>', 'of one attempt, 1 to 60 (default 10)', number(1, 60))
      .option('--retries <number>', 'after the first attempt, 0 to 10 (default 3)', number(0, 10))
      .option('--count <number>', 'end after this many deliveries', number(1, 1_000_000))
      .option('--port <port>', 'of the listener (default: a free one)', number(1, 65_535))
      .option('--url <url>', 'address at which a remote service reaches the listener')
      .option('--replace', 'replace a webhook that the key has')
      .addHelpText('after', listenHelp)
      .action(async (options: ListenOptions) => {
        const { listenWebhooks } = await import('./webhooks/listenWebhooks.ts')
        await listenWebhooks(options)
      })

    shared(command.command('trigger'))
      .description('make a task fail in this way, and print what became of its notification')
      .addArgument(new Argument('<type>', 'failure type').choices([...types, 'all']))
      .option('--client <client>', 'policy client: an address, or its name (default allow-list)')
      .option('--to <address>', 'recipient of the intent (default: the client)')
      .addHelpText('after', triggerHelp)
      .action(async (type: FailureType | 'all', options: TriggerOptions) => {
        const { triggerFailures } = await import('./webhooks/triggerFailures.ts')
        await triggerFailures(type, options)
      })
  },
}

function typesOf(text: string): readonly FailureType[] {
  const given = text.split(',').map((each) => each.trim())
  const known = given.filter((each): each is FailureType =>
    (types as readonly string[]).includes(each),
  )
  if (known.length === given.length) return known
  throw new InvalidArgumentError(`Use some of ${types.join(', ')}.`)
}

const number = (least: number, most: number) => (text: string) => {
  const value = Number(text)
  if (/^\d{1,7}$/.test(text) && value >= least && value <= most) return value
  throw new InvalidArgumentError(`Use a whole number from ${least} to ${most}.`)
}
