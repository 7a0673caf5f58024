import { type Static, Type } from '@sinclair/typebox'
import { maxExpireAfter } from 'polgate-protocol/expiryBlock.ts'

const closed = { additionalProperties: false } as const

/** Relative to the folder of the package, and inside of it. */
const path = (description: string) =>
  Type.String({ description, minLength: 1, maxLength: 255, pattern: '^[^\\0\\\\]+$' })

const Oracle = Type.Object(
  {
    id: Type.String({
      description: 'Pack id: its output is data.wasm.<id>',
      pattern: '^[A-Za-z_][A-Za-z0-9_-]{0,62}$',
    }),
    source: Type.String({
      description: 'JavaScript, TypeScript, component text, or a component: .js, .ts, .wat, .wasm',
      maxLength: 255,
      pattern: '^[^\\0\\\\]+\\.(js|ts|wat|wasm)$',
    }),
    wasmArgs: Type.Optional(path('File of the arguments; {} if absent')),
    wasmArgsSchema: Type.Optional(path('JSON Schema of the arguments')),
    secretsSchema: Type.Optional(path('JSON Schema of the secrets; without it there are none')),
    testSecrets: Type.Optional(
      path('Secrets of tests and simulations, an object of strings; never published'),
    ),
    allowedHosts: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 255, pattern: '^[^\\s/@]+$' }), {
        description: 'Hosts that the oracle asks, host or host:port; tests refuse all others',
        maxItems: 64,
        uniqueItems: true,
      }),
    ),
  },
  closed,
)

const signature = { minLength: 1, maxLength: 1_000 } as const

/** A function of the client, in one of two forms. */
const ClientCall = (description: string) =>
  Type.Union(
    [
      Type.String({ ...signature, description: 'Its signature; arguments follow from the types' }),
      Type.Object(
        {
          function: Type.String({
            ...signature,
            description: 'Its signature, or its name alone if there is only one of that name',
          }),
          arguments: Type.Optional(
            Type.Array(Type.Unknown(), {
              description:
                'One for each parameter: $policy, $params, $expireAfter, $owner, $taskManager, or a value; an array for a tuple',
              maxItems: 32,
            }),
          ),
        },
        closed,
      ),
    ],
    { description },
  )

const Client = Type.Object(
  {
    contract: Type.Optional(
      Type.String({
        description:
          'A sample client (sample, withoutDomain, tokenVault), or the artifact of your own: a .json file with abi and bytecode',
        maxLength: 255,
        pattern: '^(sample|withoutDomain|tokenVault|[^\\0\\\\]+\\.json)$',
        default: 'sample',
      }),
    ),
    constructorArguments: Type.Optional(
      Type.Record(Type.String({ maxLength: 100 }), Type.Unknown(), {
        description:
          'Arguments of the constructor by name; those that publishing knows may be left out',
        maxProperties: 64,
      }),
    ),
    initialize: Type.Optional(
      ClientCall('Called once, after the deployment: a signature, or { function, arguments }'),
    ),
    setPolicy: Type.Optional(
      Type.Union(
        [
          ClientCall('Gives the client a policy'),
          Type.Array(ClientCall('One of several calls that do so'), { minItems: 1, maxItems: 8 }),
        ],
        {
          description:
            'How the client is given a policy: a signature, { function, arguments }, or a list of them; default setPolicy(address,(bytes,uint32))',
        },
      ),
    ),
    expireAfter: Type.Optional(
      Type.Integer({
        description: 'Blocks for which an attestation is valid; the contract has this maximum',
        minimum: 1,
        maximum: maxExpireAfter,
        default: 300,
      }),
    ),
    restrictsTarget: Type.Optional(
      Type.String({
        description:
          'How the contract itself restricts which contracts it calls, where its policy does not; turns off the warning unrestricted-target',
        minLength: 10,
        maxLength: 1_000,
      }),
    ),
  },
  closed,
)

/** The content of `policy.yaml`. */
export const PackageDescription = Type.Object(
  {
    name: Type.String({
      description: 'Lower-case letters, digits and hyphens',
      pattern: '^[a-z][a-z0-9-]{0,62}$',
    }),
    policy: path('Rego source; a Policy contract names one module'),
    entrypoint: Type.Optional(
      Type.String({
        description: 'The rule that decides, with or without data.',
        maxLength: 255,
        pattern: '^[A-Za-z_]\\w*(\\.[A-Za-z_]\\w*)+$',
        default: 'data.policy.allow',
      }),
    ),
    params: Type.Optional(path('Policy parameters, a JSON object; {} if absent')),
    paramsSchema: Type.Optional(path('JSON Schema of the parameters')),
    oracles: Type.Optional(
      Type.Array(Oracle, { description: 'In the order of their PolicyData', maxItems: 16 }),
    ),
    client: Type.Optional(Client),
    intent: Type.Optional(path('An intent as for svc_createTask: the default of tests and tasks')),
    intentDomain: Type.Optional(
      path('EIP-712 domain of the client, for simulations with a signed intent'),
    ),
    testPrivateData: Type.Optional(
      path(
        'Identity, confidential and ephemeral data of tests and simulations, a JSON object; never published',
      ),
    ),
    tests: Type.Optional(
      Type.Array(path('Rego tests'), { description: 'Rego tests', maxItems: 64 }),
    ),
    cases: Type.Optional(path('Decision table')),
    mocks: Type.Optional(path('What hosts answer to oracles in tests')),
    exchanges: Type.Optional(path('Recorded HTTP exchanges, for policy simulate --replay')),
  },
  { ...closed, title: 'Policy package', description: 'policy.yaml of a policy package' },
)
export type PackageDescription = Static<typeof PackageDescription>
