/** Unix time in milliseconds. It comes in as an argument, so that a test can move it. */
export type Clock = () => number

export const systemClock: Clock = () => Date.now()

/** Unix seconds, as most members on the wire carry time. */
export const unixSeconds = (clock: Clock): number => Math.floor(clock() / 1000)
