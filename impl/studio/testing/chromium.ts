import { existsSync } from 'node:fs'

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** Debian's Chromium, or the one of the variable CHROMIUM; undefined where there is none. */
export const chromiumPath = [process.env.CHROMIUM, ...places].find(
  (path) => path !== undefined && existsSync(path),
)

/** Why browser tests do not run. */
export const noChromium =
  'chromium is not installed: apt-get install chromium, or set CHROMIUM to its path'
