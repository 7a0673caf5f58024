import { expect, it } from 'vitest'
import { isRemotePlainHttp } from './remotePlainHttp.ts'

it.each([
  'http://10.0.0.7:9101',
  'http://operator.example',
  'http://[fd00::7]:9101',
  'http://127.example',
  'http://localhost.example',
])('%s is remote plain HTTP', (url) => {
  expect(isRemotePlainHttp(url)).toBe(true)
})

it.each([
  'https://operator.example',
  'http://127.0.0.1:9101',
  'http://127.1:9101',
  'http://localhost:9101',
  'http://op.localhost',
  'http://[::1]:9101',
])('%s is not', (url) => {
  expect(isRemotePlainHttp(url)).toBe(false)
})
