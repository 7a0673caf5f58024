import { spawn } from 'node:child_process'

const openers: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
}

/** Opens an address in the user's browser. @returns false if this machine has no way to do that */
export const openBrowser = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    const [command = '', ...args] = openers[process.platform] ?? ['xdg-open']
    const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true })
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
