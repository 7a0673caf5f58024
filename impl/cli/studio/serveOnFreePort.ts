import { type Studio, serveStudio } from 'polgate-studio/server/serveStudio.ts'
import { studioAssets } from 'polgate-studio/server/studioAssets.ts'
import type { StudioTarget } from 'polgate-studio/server/target.ts'
import { bootOnFreePorts } from '../freePorts.ts'

/** Serves Studio on a port, by default 8602; on a free one if that is in use. */
export const serveOnFreePort = (target: StudioTarget, preferred = 8602): Promise<Studio> =>
  bootOnFreePorts({ studio: preferred }, ({ studio = 0 }) =>
    serveStudio({ target, loadAssets: studioAssets, port: studio }),
  )
