import { expect, test } from 'vitest'
import { isPublicAddress } from './addressGuard.ts'

test.each([
  ['1.1.1.1'],
  ['8.8.8.8'],
  ['93.184.216.34'],
  ['100.63.255.255'],
  ['100.128.0.1'],
  ['172.15.255.255'],
  ['172.32.0.1'],
  ['192.167.255.255'],
  ['2606:4700:4700::1111'],
  ['[2606:4700:4700::1111]'],
  ['::ffff:8.8.8.8'],
  ['64:ff9b::808:808'],
])('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true)
})

test.each([
  // loopback and this host
  ['127.0.0.1'],
  ['127.255.255.254'],
  ['0.0.0.0'],
  ['0.1.2.3'],
  ['::1'],
  ['[::1]'],
  ['::'],
  // private
  ['10.0.0.1'],
  ['172.16.0.1'],
  ['172.31.255.255'],
  ['192.168.1.1'],
  ['100.64.0.1'],
  ['fc00::1'],
  ['fd12:3456:789a::1'],
  ['fec0::1'],
  // link-local and cloud metadata
  ['169.254.0.1'],
  ['169.254.169.254'],
  ['fe80::1'],
  ['fe80::1%eth0'],
  ['fd00:ec2::254'],
  ['100.100.100.200'],
  ['168.63.129.16'],
  ['192.0.0.192'],
  // multicast, broadcast, reserved, documentation, benchmarking
  ['224.0.0.1'],
  ['239.255.255.255'],
  ['255.255.255.255'],
  ['240.0.0.1'],
  ['192.0.2.1'],
  ['198.51.100.1'],
  ['203.0.113.1'],
  ['198.18.0.1'],
  ['192.88.99.1'],
  ['ff02::1'],
  ['2001:db8::1'],
  ['3fff::1'],
  ['5f00::1'],
  ['100::1'],
  ['2001:2::1'],
  // unassigned, or used by overlay networks and single-machine networks
  ['200::1'],
  ['300:1234::1'],
  ['400::1'],
  ['100:0:0:1::1'],
  ['4000::1'],
  ['e000::1'],
  ['fe00::1'],
  // an IPv4 address within an IPv6 address
  ['::ffff:127.0.0.1'],
  ['::ffff:7f00:1'],
  ['::ffff:169.254.169.254'],
  ['::ffff:10.0.0.1'],
  ['::127.0.0.1'],
  ['::ffff:0:127.0.0.1'],
  ['64:ff9b::7f00:1'],
  ['64:ff9b::a9fe:a9fe'],
  ['64:ff9b:1::7f00:1'],
  ['2002:7f00:1::'],
  ['2001:0:7f00:1::'],
  // not an address
  [''],
  ['localhost'],
  ['example.com'],
  ['1.2.3.4.5'],
])('%s is not public', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

test.each([['0x7f.1'], ['0177.0.0.1'], ['2130706433'], ['127.1']])(
  'the notation %s of a loopback address is recognised',
  (address) => {
    expect(isPublicAddress(address)).toBe(false)
    expect(isPublicAddress(new URL(`http://${address}/`).hostname)).toBe(false)
  },
)
