import { type Static, Type } from '@sinclair/typebox'

/** Of one exchange with a gateway, and before the next one is asked as well; milliseconds. */
export const defaultTimes = { timeoutMs: 15_000, headStartMs: 1_500 }
/** Of a file. */
export const defaultMaxBytes = 64 * 1024 * 1024

/** Where a process has contents from (decision O7). */
export const ContentConfig = Type.Object(
  {
    directory: Type.String({
      description:
        'Directory that is looked into first; fetched content is kept there. Processes may share it.',
      examples: ['/var/lib/svc/content'],
    }),
    gateways: Type.Array(Type.String({ pattern: '^https?://' }), {
      default: [],
      maxItems: 32,
      description:
        'IPFS gateways, as URLs above `/ipfs/{cid}`, in the order in which they are asked for what the directory lacks. They have to serve single blocks (`?format=raw`).',
      examples: [['https://ipfs.example']],
    }),
    timeoutMs: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 600_000,
        default: defaultTimes.timeoutMs,
        description: 'Timeout of the request of one block from one gateway.',
        'x-unit': 'milliseconds',
      }),
    ),
    headStartMs: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 600_000,
        default: defaultTimes.headStartMs,
        description: 'Wait for a silent gateway before the next one is asked as well.',
        'x-unit': 'milliseconds',
      }),
    ),
    maxBytes: Type.Optional(
      Type.Integer({
        minimum: 1,
        default: defaultMaxBytes,
        description: 'Largest file; the default is the largest oracle component (decision O4).',
        'x-unit': 'bytes',
      }),
    ),
  },
  { additionalProperties: false },
)
export type ContentConfig = Static<typeof ContentConfig>
