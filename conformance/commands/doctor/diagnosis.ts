/** One finding of `polgate doctor`. */
export type Diagnosed = {
  readonly room: 'machine' | 'gateway' | 'keys' | 'chain' | 'surfaces' | 'profiles'
  readonly name: string
  /** `warn`: a certification is still reliable. `missing`: less can be proven. */
  readonly state: 'ok' | 'warn' | 'missing'
  /** The finding, in one line. */
  readonly says: string
  /** What to do about it. */
  readonly hint?: string
}

export const ok = (room: Diagnosed['room'], name: string, says: string): Diagnosed => ({
  room,
  name,
  state: 'ok',
  says,
})

export const notOk = (
  state: 'warn' | 'missing',
  room: Diagnosed['room'],
  name: string,
  says: string,
  hint?: string,
): Diagnosed => ({ room, name, state, says, ...(hint === undefined ? {} : { hint }) })
