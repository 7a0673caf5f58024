/**
 * Whether a URL is plain HTTP to another machine. Traffic to it is signed and secrets are
 * encrypted, but oracle outputs can be read in transit.
 */
export function isRemotePlainHttp(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  const stays = /^(127\.[\d.]+|localhost|.+\.localhost|\[::1\])$/.test(hostname)
  return protocol === 'http:' && !stays
}
