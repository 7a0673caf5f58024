import { Type } from '@sinclair/typebox'
import { Address, Bytes32 } from 'polgate-protocol/scalars.ts'
import {
  documented,
  HttpUrl,
  needed,
  openings,
  PublicKey32,
  resharing,
  Secret32,
} from './configParts.ts'
import { closed, exampleAddress, fromVariable } from './configSections.ts'
import { defaultTimeouts } from './operators/remoteOperator.ts'

/** Sections of the configuration of a service that are about operators. */

const hexExample = '1b'.repeat(32)

const LocalOperator = documented(
  Type.Object(
    {
      kind: documented(Type.Literal('local'), 'An operator in the process of the gateway.'),
      address: documented(Address, 'Address in the operator registry.', {
        examples: [exampleAddress],
      }),
      blsKey: documented(
        Secret32,
        'BLS private key: 32 bytes of hex.',
        fromVariable('OPERATOR_1_KEY'),
      ),
      thresholdKey: Type.Optional(
        documented(
          Secret32,
          'Ed25519 private key, in threshold mode: 32 bytes of hex.',
          fromVariable('OPERATOR_1_THRESHOLD_KEY'),
        ),
      ),
    },
    closed,
  ),
  'An operator in the process of the gateway.',
)

const RemoteOperator = documented(
  Type.Object(
    {
      kind: documented(Type.Literal('remote'), 'An operator in a process of its own.'),
      address: documented(Address, 'Address in the operator registry.', {
        examples: [exampleAddress],
      }),
      id: documented(Bytes32, 'Operator id: the hash of its BLS public key.', {
        examples: [`0x${hexExample}`],
      }),
      url: documented(
        HttpUrl,
        'URL of the operator process. Without TLS it has to be on this machine or behind a tunnel.',
        { examples: ['https://operator-1.example:9101'] },
      ),
      token: documented(
        Type.String({ minLength: 16 }),
        'Secret that requests and responses are signed with; the operator has it too.',
        fromVariable('OPERATOR_1_TOKEN'),
      ),
      thresholdPublicKey: Type.Optional(
        documented(
          PublicKey32,
          'Ed25519 public key, in threshold mode: 32 bytes of lower-case hex.',
          { examples: [hexExample] },
        ),
      ),
    },
    closed,
  ),
  'An operator in a process of its own (`polgate operator`).',
)

export const Operators = documented(
  Type.Array(Type.Union([LocalOperator, RemoteOperator]), { maxItems: 256 }),
  'The operators that evaluate and sign.',
)

const CallMs = Type.Integer({ minimum: 1, maximum: 600_000 })
const callMs = (of: keyof typeof defaultTimeouts, description: string) =>
  Type.Optional(
    documented(CallMs, description, { unit: 'milliseconds', default: defaultTimeouts[of] }),
  )

export const OperatorTimeouts = documented(
  Type.Object(
    {
      data: callMs('data', 'Oracle runs.'),
      evaluate: callMs('evaluate', 'Evaluation of a policy.'),
      sign: callMs('sign', 'Signature of a response.'),
      secrets: callMs('secrets', 'Check of uploaded secrets.'),
    },
    closed,
  ),
  'Timeouts of calls to remote operators.',
)

const members = (description: string) =>
  documented(Type.Array(Address, { minItems: 2, maxItems: 128 }), description, {
    examples: [[exampleAddress, `0x${'1b'.repeat(20)}`]],
  })

export const Threshold = documented(
  Type.Object(
    {
      needed,
      members: Type.Optional(
        members(
          'Addresses of the members of the key, in their order. Default: all of `operators`.',
        ),
      ),
      next: Type.Optional(
        documented(
          Type.Object(
            {
              needed,
              members: members('Addresses of operators, in the order of the next roster.'),
            },
            closed,
          ),
          'The roster that the key is reshared to with `polgate key reshare`. Every operator needs the same one in its own configuration.',
        ),
      ),
      resharing,
      directory: documented(
        Type.String(),
        'Directory where operators of this process keep their key shares. Losing the shares loses the sealed data.',
        { examples: ['/var/lib/svc/shares'] },
      ),
      openings,
      timeoutMs: documented(
        Type.Integer({ minimum: 1, default: 60_000 }),
        'Timeout of one attempt to find or generate the shared key.',
        { unit: 'milliseconds' },
      ),
    },
    closed,
  ),
  'Threshold mode (section 4.10): the operators share the privacy key, in the order of `operators`, each with its threshold key. Absent: `keys.privacy` is used.',
)
