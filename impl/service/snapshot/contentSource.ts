/** A content store, as much of it as a snapshot needs. */
export type ContentSource = {
  list(): Promise<readonly { readonly cid: string; readonly bytes: number }[]>
  /** Undefined, or an error, for a block that is not what its id says. */
  block(cid: string): Promise<Uint8Array | undefined>
}
