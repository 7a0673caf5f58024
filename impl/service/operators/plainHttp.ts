/**
 * Whether what goes to a URL can be read on its way: plain HTTP that leaves this machine. Secrets stay
 * sealed and nothing can be changed unseen, but outputs of oracles are there to read.
 */
export function isReadableOnTheWay(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  const stays = /^(127\.[\d.]+|localhost|.+\.localhost|\[::1\])$/.test(hostname)
  return protocol === 'http:' && !stays
}
