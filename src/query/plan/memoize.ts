const MAX_TEXTS = 200;
/** Longer texts are rare and would let callers fill the memory; they are computed each time. */
const MAX_LENGTH = 50_000;

/**
 * Remembers the results of a pure function of one text. When full it forgets everything at once,
 * which costs a few parses and no bookkeeping per call.
 */
export function memoize<T>(compute: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const result = compute(text);
    if (text.length > MAX_LENGTH) return result;
    if (known.size >= MAX_TEXTS) known.clear();
    known.set(text, result);
    return result;
  };
}
