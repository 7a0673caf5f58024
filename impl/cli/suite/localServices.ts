import type { LoadLocalServices } from 'polgate-conformance/targets/localServices.ts'

let load: LoadLocalServices | undefined

/** Gives the commands of the suite a local stack; the package of the suite alone has none. */
export function provideLocalServices(loadLocal: LoadLocalServices): void {
  load = loadLocal
}

/** How to load the local services, where this installation has them. */
export const localServices = (): LoadLocalServices | undefined => load
