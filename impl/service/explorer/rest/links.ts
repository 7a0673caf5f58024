/**
 * The `Link` header of a page (RFC 8288): first, prev, next and last, all as of the same moment. The
 * targets are queries alone, which resolve against the address that was asked, whatever a proxy
 * makes of its path.
 */
export function pageLinks(
  { total, page, size }: { readonly total: number; readonly page: number; readonly size: number },
  asOf: number = total,
): string {
  const last = Math.max(1, Math.ceil(total / size))
  const link = (relation: string, to: number) =>
    `<?page=${to}&size=${size}&as_of=${asOf}>; rel="${relation}"`
  return [
    link('first', 1),
    ...(page > 1 ? [link('prev', Math.min(page - 1, last))] : []),
    ...(page < last ? [link('next', page + 1)] : []),
    link('last', last),
  ].join(', ')
}
