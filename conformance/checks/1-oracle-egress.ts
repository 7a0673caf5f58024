import type { Check } from '../core/check.ts'
import type { CheckContext } from '../core/context.ts'
import { observed } from '../kit/assertions/observed.ts'
import {
  type Done,
  expectResponse,
  expectStepError,
  lateSteps,
  mirrorUrl,
  probeFetch,
  probeNeeds,
  step,
} from '../kit/scenarios/probe.ts'
import { startWebhookReceiver } from '../kit/servers/webhookReceiver.ts'

/**
 * Section 1, decision O5: which addresses an oracle can reach, and which it cannot even connect to.
 */
const needs = [...probeNeeds, 'fixture-host'] as const

/** Notations of the loopback address, each with a port. */
const loopbackForms = (port: number): readonly string[] =>
  [
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '127.0.0.1.',
    '0.0.0.0',
    'localhost',
    'LOCALHOST.',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[64:ff9b::7f00:1]',
  ].map((host) => `http://${host}:${port}/`)

const privateAddresses = [
  'http://10.0.0.1/',
  'http://172.16.0.1/',
  'http://192.168.0.1/',
  'http://100.64.0.1/',
  'http://169.254.169.254/latest/meta-data/',
  'http://[fe80::1]/',
  'http://[fd00:ec2::254]/',
  'http://[fc00::1]/',
  'http://224.0.0.1/',
  'http://255.255.255.255/',
] as const

const isAnswered = (done: Done | undefined) => done?.kind !== 'error' && done?.kind !== 'ended'

const reportedOf = (urls: readonly string[], done: readonly Done[]) =>
  urls.map((url, i) => {
    const each = done[i]
    return `${url}: ${isAnswered(each) ? `answered ${JSON.stringify(each)}` : each?.error}`
  })

/** A server of the suite that the gateway could reach but must not; reports its requests. */
async function withTrap(run: (url: string, came: () => number) => Promise<void>): Promise<void> {
  const receiver = await startWebhookReceiver()
  const box = receiver.open()
  try {
    await run(`http://127.0.0.1:${receiver.port}${box.path}`, () => box.deliveries.length)
  } finally {
    box.close()
    await receiver.close()
  }
}

const expectAllowed = async (t: CheckContext): Promise<void> =>
  expectResponse(await probeFetch(t, { url: mirrorUrl(t) }), 'an allowed host')

const statusOrError = (done: Done | undefined): unknown =>
  done?.kind === 'response' ? done.status : done

function refusedAll(t: CheckContext, what: string, urls: readonly string[], all: readonly Done[]) {
  const done = all.slice(0, urls.length)
  const answered = urls.filter((_, i) => isAnswered(done[i]))
  for (const line of reportedOf(urls, done)) t.observe(line)
  observed(t, 'answered-requests', `${what} that answered`, answered)
  const ended = urls.filter((_, i) => done[i]?.kind === 'ended')
  observed(t, 'ended-runs', `${what} in runs that ended without their results`, ended)
}

export const oracleEgress: readonly Check[] = [
  {
    // 1-46: Which addresses an oracle cannot reach.
    // 1-14: A fetch that fails gives the oracle an error string, not a trap.
    id: 'rpc.oracle.egress.loopback',
    title: 'no notation of the loopback address lets an oracle reach the machine it runs on',
    clauses: ['1-46', '1-14'],
    level: 'must',
    needs,
    twin: 'an allowed host',
    run: async (t) => {
      await withTrap(async (url, came) => {
        const { port, pathname } = new URL(url)
        const urls = loopbackForms(Number(port)).map((each) => `${each}${pathname.slice(1)}`)
        await t.twin(() => expectAllowed(t))
        const done = await lateSteps(
          t,
          urls.map((each) => step.fetch({ url: each })),
        )
        refusedAll(t, 'addresses of the oracle’s machine', urls, done)
        observed(t, 'requests', 'received requests', came())
      })
    },
  },
  {
    // 1-46: Which addresses an oracle cannot reach.
    // 1-14: A fetch that fails gives the oracle an error string, not a trap.
    id: 'rpc.oracle.egress.private',
    title: 'no private, link-local, metadata or multicast address lets an oracle reach a network',
    clauses: ['1-46', '1-14'],
    level: 'must',
    needs,
    twin: 'an allowed host',
    run: async (t) => {
      await t.twin(() => expectAllowed(t))
      const asked = privateAddresses.map((url) => step.fetch({ url }))
      // Calls to unresponsive addresses exceed the time of a run.
      const done = await lateSteps(t, asked)
      refusedAll(t, 'private addresses', privateAddresses, done)
    },
  },
  {
    // 1-45: Which redirects are followed.
    // 1-46: Which addresses an oracle cannot reach.
    // 1-14: A fetch that fails gives the oracle an error string, not a trap.
    id: 'rpc.oracle.egress.redirects',
    title: 'a redirect to a forbidden address is not followed, whatever its status',
    clauses: ['1-45', '1-46', '1-14'],
    level: 'must',
    needs,
    twin: 'an allowed host',
    run: async (t) => {
      await withTrap(async (url, came) => {
        const to = (target: string, status: number) =>
          mirrorUrl(t, `/redirect?status=${status}&to=${encodeURIComponent(target)}`)
        const targets = [url, 'http://169.254.169.254/', 'http://[::1]:1/', 'file:///etc/hostname']
        const urls = targets.flatMap((each) => [301, 302, 303, 307, 308].map((s) => to(each, s)))
        const inside = to('/mirror/bytes/3', 302)
        const around = mirrorUrl(t, '/redirect')
        await t.twin(() => expectAllowed(t))
        const asked = [...urls, around, inside].map((each) => step.fetch({ url: each }))
        const done = await lateSteps(t, asked)
        // Not following any redirect is allowed as well: the oracle then gets the redirect itself.
        const followed = urls.filter((_, i) => {
          const each = done[i]
          return each?.kind === 'response' && (each.status < 300 || each.status >= 400)
        })
        observed(t, 'followed-redirects', 'redirects that were followed', followed)
        observed(t, 'requests', 'received requests', came())
        for (const [i, target] of targets.entries())
          t.observe(`to ${target}: ${JSON.stringify(done[i * 5])}`)
        const within = done.at(-1)
        observed(t, 'redirect-inside', 'a redirect within the host', statusOrError(within))
        t.observe(`an endless redirect: ${JSON.stringify(done[urls.length])}`)
      })
    },
  },
  {
    // 1-14: A fetch that fails gives the oracle an error string, not a trap.
    id: 'rpc.oracle.egress.unknown-host',
    title: 'an unknown host name is an error for the oracle, not the end of its run',
    clauses: ['1-14'],
    level: 'must',
    needs,
    twin: 'an allowed host',
    run: async (t) => {
      await t.twin(() => expectAllowed(t))
      const unknown = await probeFetch(t, { url: 'http://nobody.invalid/' })
      expectStepError(unknown, 'an unknown host')
      t.observe(`an unknown host: ${unknown.error}`)
    },
  },
]
