import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import { expect, it } from 'vitest'
import { bootWithStudio } from './bootWithStudio.ts'

function parts() {
  const done: string[] = []
  const closing = (name: string) => async () => void done.push(`${name} closed`)
  const description = { gatewayUrl: 'http://127.0.0.1:1' } as StackDescription
  return {
    done,
    boot: async () => ({ description, close: closing('stack') }),
    serve: async () => ({
      ...{ url: 'http://127.0.0.1:2/#token=t', port: 2, oneTimeUrl: () => '' },
      close: closing('studio'),
    }),
    ready: async () => void done.push('ready'),
  }
}

it('describes the stack with its Studio, and closes Studio first', async () => {
  const { done, ...given } = parts()
  const stack = await bootWithStudio(given)
  expect(stack.description).toMatchObject({ studioUrl: 'http://127.0.0.1:2/#token=t' })
  await stack.close()
  expect(done).toEqual(['ready', 'studio closed', 'stack closed'])
})

it('works without Studio', async () => {
  const { done, ...given } = parts()
  const stack = await bootWithStudio({ ...given, serve: undefined })
  expect(stack.description).not.toHaveProperty('studioUrl')
  await stack.close()
  expect(done).toEqual(['ready', 'stack closed'])
})

it.each([
  ['serve', ['stack closed']],
  ['ready', ['studio closed', 'stack closed']],
])('closes what runs where %s fails', async (part, closed) => {
  const { done, ...given } = parts()
  const failing = async () => {
    throw new Error(`${part} failed`)
  }
  await expect(bootWithStudio({ ...given, [part]: failing })).rejects.toThrow(`${part} failed`)
  expect(done).toEqual(closed)
})
