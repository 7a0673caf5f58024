import { defaultBrand } from 'polgate-protocol/brand.ts'
import { stringify } from 'yaml'
import { type KeyName, keyVariable } from '../core/exchange.ts'
import { profiles } from '../register/profiles.ts'
import type { Found } from './probeGateway.ts'

export const presets = ['local', 'remote', 'command', 'image'] as const
export type Preset = (typeof presets)[number]

const keys: readonly (readonly [KeyName, string])[] = [
  ['read', 'has rpc_read'],
  ['write', 'has rpc_write'],
  ['rpc', 'has rpc, that is both'],
  ['none', 'is valid, but has no permission'],
  ['expired', 'has expired'],
  ['stranger', 'has rpc, but owns no policy client'],
]

/**
 * Keys that are set in the environment; the others are listed to be filled in. The member itself is
 * never a comment: a key that is uncommented belongs to it.
 */
function keysText(env: Readonly<Record<string, string | undefined>>): string {
  const lines = keys.map(([name, says]) => {
    const variable = keyVariable(name)
    return `  ${env[variable] ? '' : '#'}${name}: \${${variable}} # ${says}`
  })
  return ['# By permission; names of variables only, never a key.', 'keys:', ...lines].join('\n')
}

const gatewayText: Readonly<Record<Preset, (found: Found | undefined) => string>> = {
  local: (found) => `gatewayUrl: ${found?.gatewayUrl ?? 'http://127.0.0.1:8600'} # polgate start`,
  remote: (found) => `gatewayUrl: ${found!.gatewayUrl}`,
  command: () =>
    '# The suite starts a chain and all dependencies, then runs this command: see CONTRACT.md beside the schema.\ncommand:\n  run: [npx, --no-install, polgate, serve, --from-environment]\n  #cwd: .\n  #env: { LOG_LEVEL: warn }\n  #readyWithinSeconds: 90',
  image: () =>
    '# The suite starts a chain and all dependencies, then runs this image: see CONTRACT.md beside the schema.\nimage:\n  name: polgate\n  command: [serve, --from-environment]\n  #readyWithinSeconds: 90',
}

const chainExample = `# The contracts. A funded key deploys the policy clients of the fixtures, once; the cost is reported.
# Or describe existing clients in clients: { allow-list: {...} }.
chain:
  #rpcUrl: https://node.example
  #chainId: 11155111
  #taskManager: 0x...
  #operatorRegistry: 0x...
  #policyFactory: 0x...
  #deployer: \${SVC_DEPLOYER}
  #deployerBudget: "0.5"
# Where the suite serves their contents; the gateway must be able to reach it.
#fixtureHost: { url: https://tunnel.example, port: 8604 }`

function remoteParts(found: Found | undefined): readonly string[] {
  const { brand = defaultBrand, updatesUrl, explorerUrl, stack } = found ?? {}
  const branded = Object.entries(brand).filter(
    ([name, value]) => value !== defaultBrand[name as keyof typeof defaultBrand],
  )
  return [
    branded.length === 0
      ? '# Names on the wire, if they differ.\n#brand: { methodPrefix: acme_, topicPrefix: acme.task., signatureHeader: X-Acme-Signature }'
      : `# Names on the wire; all but the method prefix are guesses based on it.\n${stringify({ brand: Object.fromEntries(branded) }).trimEnd()}`,
    updatesUrl === undefined
      ? '# No WebSocket at /ws. Where the key is in its address, {key} stands for it.\n#updatesUrl: wss://gateway.example/ws'
      : `updatesUrl: ${updatesUrl}`,
    explorerUrl === undefined
      ? '#explorerUrl: https://explorer.example'
      : `explorerUrl: ${explorerUrl}`,
    '#explorerNetwork: testnet\n#explorerLagSeconds: 30',
    stack === undefined
      ? chainExample
      : `# From the local stack that runs here.\n${stringify({ chain: stack.chain }).trimEnd()}`,
    '# A public address for webhooks, and the local port behind it.\n#webhookReceiver: { url: https://tunnel.example, port: 9000 }',
  ]
}

/** Those that the gateway has, where it lacks some; else all, as an option. */
function profilesText(found: Found | undefined): string {
  const { profiles: served = profiles } = found ?? {}
  const line = `profiles: [${served.join(', ')}]`
  return `# Parts of the service that the gateway has: a run tests these, and all without this line.\n${served.length === profiles.length ? '#' : ''}${line}`
}

/**
 * A commented target file for the user to complete. A line that begins with # and no space is an option:
 * without the # it is valid where it is, whatever other lines are.
 */
export function targetText(options: {
  readonly preset: Preset
  readonly found: Found | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  readonly schema: string
}): string {
  const { preset, found, env, schema } = options
  const remote = preset === 'remote' || preset === 'local'
  const parts = [
    `# yaml-language-server: $schema=${schema}\n# The target of polgate certify, and what is known about it. Remove the # of a line to use it.\nversion: 1`,
    gatewayText[preset](found),
    ...(remote ? [keysText(env), ...remoteParts(found)] : ['#brand: { methodPrefix: acme_ }']),
    profilesText(found),
    '# Limits of a run.\n#limits: { readOnly: false, maxRps: 50, budget: 20000 }',
    '# What this target cannot have, each with a reason: not applicable instead of untestable.\nnotApplicable:\n  #operator-control: third parties run the operators',
    '# The certified release; the digest of an image is verified.\n#identity: { maker: acme, release: 1.2.3 }',
  ]
  return `${parts.join('\n\n')}\n`
}
