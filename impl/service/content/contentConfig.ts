import { type Static, Type } from '@sinclair/typebox'

/** Sources of content (decision O7). */
export const ContentConfig = Type.Object(
  {
    /** Local store, read first; fetched content is stored there. Processes may share it. */
    directory: Type.String(),
    /**
     * URLs above `/ipfs/{cid}`, in the order in which they are requested for content that the
     * directory does not have. They must serve single blocks (`?format=raw`).
     */
    gateways: Type.Array(Type.String({ pattern: '^https?://' }), { default: [], maxItems: 32 }),
    /** Timeout for one block from one gateway, milliseconds. Default 15,000. */
    timeoutMs: Type.Optional(Type.Integer({ minimum: 1, maximum: 600_000 })),
    /**
     * How long to wait for a gateway before the next is requested too, milliseconds. Default 1,500.
     */
    headStartMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 600_000 })),
    /** Maximum file size, bytes. Default 64 MiB, the largest component (decision O4). */
    maxBytes: Type.Optional(Type.Integer({ minimum: 1 })),
  },
  { additionalProperties: false },
)
export type ContentConfig = Static<typeof ContentConfig>
