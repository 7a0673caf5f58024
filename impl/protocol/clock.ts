/** Returns Unix time in milliseconds. Passed as a parameter, so that tests can set it. */
export type Clock = () => number

export const systemClock: Clock = () => Date.now()

/** Milliseconds since some time, for durations: it does not jump when the time of the machine is set. */
export const monotonicClock: Clock = () => performance.now()

/** Unix seconds, the unit of most members on the wire. */
export const unixSeconds = (clock: Clock): number => Math.floor(clock() / 1000)
