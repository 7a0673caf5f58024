import { expect, test } from 'vitest'
import { isBlockedPort } from './blockedPorts.ts'

test.each(['http://a:25/', 'https://a:22/', 'http://a:0/', 'http://a:6667/', 'http://a:10080/'])(
  '%s is blocked',
  (url) => expect(isBlockedPort(new URL(url))).toBe(true),
)

test.each(['http://a/', 'https://a/', 'http://a:80/', 'https://a:8443/', 'http://a:65535/'])(
  '%s is allowed',
  (url) => expect(isBlockedPort(new URL(url))).toBe(false),
)
