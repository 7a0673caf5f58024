import { type Static, Type } from '@sinclair/typebox'

/** Where a process has contents from (decision O7). */
export const ContentConfig = Type.Object(
  {
    /** Looked into first; what was fetched is kept there. Processes may share it. */
    directory: Type.String(),
    /**
     * URLs above `/ipfs/{cid}`, in the order in which they are asked for what the directory does not
     * have. They have to serve single blocks (`?format=raw`).
     */
    gateways: Type.Array(Type.String({ pattern: '^https?://' }), { default: [], maxItems: 32 }),
    /** For one block from one gateway, milliseconds. Default 15,000. */
    timeoutMs: Type.Optional(Type.Integer({ minimum: 1, maximum: 600_000 })),
    /** How long a silent gateway is waited for before the next is asked too. Default 1,500. */
    headStartMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 600_000 })),
    /** Largest file. Default 64 MiB, the largest component (decision O4). */
    maxBytes: Type.Optional(Type.Integer({ minimum: 1 })),
  },
  { additionalProperties: false },
)
export type ContentConfig = Static<typeof ContentConfig>
