import type { SourceHint } from './format.ts';

/**
 * The source named by the fields `source` (UUID) and `source_name` of an object body, as a property
 * to spread. The fields stay in the event (Logflare 1.50).
 */
export function sourceHint(body: unknown): { readonly source?: SourceHint } {
  const { source, source_name: name } = (body ?? {}) as Readonly<Record<string, unknown>>;
  const hint: SourceHint = {
    ...(typeof source === 'string' && { token: source }),
    ...(typeof name === 'string' && { name }),
  };
  return Object.keys(hint).length === 0 ? {} : { source: hint };
}
