import { spawn } from 'node:child_process'

const openers: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
}
/** An opener that runs longer has become the browser: how that ends says nothing. */
const patienceMs = 30_000

/**
 * Opens an address in the user's browser. The address is visible to everyone on this machine as long as the
 * opener runs.
 *
 * @returns why that failed, such as `xdg-open ended with code 3`; undefined once it has not
 */
export const openBrowser = (
  url: string,
  opener: readonly string[] = openers[process.platform] ?? ['xdg-open'],
): Promise<string | undefined> =>
  new Promise((resolve) => {
    const [command = '', ...args] = opener
    const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true })
    const patience = setTimeout(() => resolve(undefined), patienceMs)
    const end = (problem: string | undefined) => {
      clearTimeout(patience)
      resolve(problem)
    }
    child.once('error', () => end(`there is no ${command}`))
    child.once('exit', (code, signal) =>
      end(code === 0 ? undefined : `${command} ended with ${signal ?? `code ${code}`}`),
    )
    // Neither keeps this process alive.
    child.unref()
    patience.unref()
  })
