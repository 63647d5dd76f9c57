/**
 * How old an answer the caller accepts, from its `Cache-Control` request header (RFC 9111 5.2.1).
 *
 * @returns seconds; 0 for `no-cache`; undefined when the caller leaves it to the endpoint.
 */
export function acceptedAge(header: string | undefined): number | undefined {
  const directives = (header ?? '').split(',').map((part) => part.trim().toLowerCase());
  if (directives.includes('no-cache')) return 0;
  const ages = directives
    .map((directive) => /^max-age="?(\d{1,10})"?$/.exec(directive)?.[1])
    .filter((digits) => digits !== undefined)
    .map(Number);
  return ages.length === 0 ? undefined : Math.min(...ages);
}
