/** The part of a content store that a snapshot needs. */
export type ContentSource = {
  list(): Promise<readonly { readonly cid: string; readonly bytes: number }[]>
  /** Undefined, or an error, for a block that does not match its id. */
  block(cid: string): Promise<Uint8Array | undefined>
}
