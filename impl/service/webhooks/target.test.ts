import { expect, test } from 'vitest'
import { parseTarget } from './target.ts'
import { WebhookError } from './webhookError.ts'

function problem(text: string, allowLoopback = false) {
  try {
    parseTarget(text, { allowLoopback })
    return undefined
  } catch (error) {
    if (error instanceof WebhookError) return `${error.code}: ${error.message}`
    throw error
  }
}

test.each([
  'https://hooks.example',
  'https://hooks.example:8443/path?token=1#part',
  'HTTPS://HOOKS.EXAMPLE/',
  'https://8.8.8.8/',
  'https://[2606:4700:4700::1111]/',
  'https://localhost.example/',
])('%s is a valid target', (url) => {
  expect(problem(url)).toBeUndefined()
})

test.each([
  'http://hooks.example/',
  'ftp://hooks.example/',
  'wss://hooks.example/',
  'hooks.example',
  'https://',
  'https:hooks.example',
  'https://hooks example/',
  ' https://hooks.example/',
  'https://hooks.example/\n',
  'https://hooks.example/\u0000',
  'https://hooks.example/\u007f',
  'https://hooks.example/\ud800',
  'https:\\\\hooks.example\\',
  'https://hooks.example\\@127.0.0.1/',
  'https://[::1/',
  'javascript:alert(1)',
  '',
])('%j is malformed', (url) => {
  expect(problem(url)).toBe('url: must be an HTTPS URL')
})

test.each([
  ['https://hooks.example:22/', '22'],
  ['https://hooks.example:6667/path', '6667'],
  ['https://hooks.example:0/', '0'],
  ['https://8.8.8.8:25/', '25'],
])('%s has port %s, which is not for HTTP (decision W8)', (url, port) => {
  expect(problem(url)).toBe(`address: port ${port} is not for HTTP; use another one`)
})

test.each(['https://user:pass@hooks.example/', 'https://token@hooks.example/'])(
  '%s contains credentials',
  (url) => {
    expect(problem(url)).toBe('url: must not contain credentials')
    expect(problem(url.replace('hooks.example', 'localhost'), true)).toMatch(/^url: /)
  },
)

test.each([
  ['https://127.0.0.1/', '127.0.0.1'],
  ['https://127.1/', '127.0.0.1'],
  ['https://2130706433/', '127.0.0.1'],
  ['https://017700000001/', '127.0.0.1'],
  ['https://0x7f000001/', '127.0.0.1'],
  ['https://0x7f.0.0.1/', '127.0.0.1'],
  ['https://１２７.０.０.１/', '127.0.0.1'],
  ['https://10.0.0.1/', '10.0.0.1'],
  ['https://172.16.0.1/', '172.16.0.1'],
  ['https://192.168.1.1/', '192.168.1.1'],
  ['https://100.64.0.1/', '100.64.0.1'],
  ['https://169.254.169.254/latest/meta-data', '169.254.169.254'],
  ['https://168.63.129.16/', '168.63.129.16'],
  ['https://224.0.0.1/', '224.0.0.1'],
  ['https://255.255.255.255/', '255.255.255.255'],
  ['https://0.0.0.0/', '0.0.0.0'],
  ['https://[::1]/', '[::1]'],
  ['https://[::]/', '[::]'],
  ['https://[::ffff:127.0.0.1]/', '[::ffff:7f00:1]'],
  ['https://[64:ff9b::7f00:1]/', '[64:ff9b::7f00:1]'],
  ['https://[fe80::1]/', '[fe80::1]'],
  ['https://[fd00::1]/', '[fd00::1]'],
  ['https://[ff02::1]/', '[ff02::1]'],
  ['https://localhost/', 'localhost'],
  ['https://LOCALHOST./', 'localhost.'],
  ['https://a.localhost/', 'a.localhost'],
  ['https://printer.local/', 'printer.local'],
  ['https://metadata.google.internal/', 'metadata.google.internal'],
])('%s is not public', (url, host) => {
  expect(problem(url)).toBe(`address: ${host} is not a public address`)
})

test('a local stack allows two hosts of this machine, on any port', () => {
  for (const url of [
    'http://127.0.0.1:8080/hook',
    'https://127.0.0.1/',
    'http://localhost:1/',
    'https://localhost/',
  ]) {
    expect(parseTarget(url, { allowLoopback: true }).loopback).toBe(true)
    expect(problem(url)).toBeDefined()
  }
  expect(parseTarget('https://hooks.example/', { allowLoopback: true }).loopback).toBe(false)
  for (const [url, text] of [
    ['http://127.0.0.2/', 'url: must be an HTTPS URL'],
    ['http://[::1]/', 'url: must be an HTTPS URL'],
    ['http://localhost.example/', 'url: must be an HTTPS URL'],
    ['https://127.0.0.2/', 'address: 127.0.0.2 is not a public address'],
    ['https://10.0.0.1/', 'address: 10.0.0.1 is not a public address'],
  ] as const)
    expect(problem(url, true)).toBe(text)
})
