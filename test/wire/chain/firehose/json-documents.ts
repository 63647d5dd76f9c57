/**
 * The JSON objects of a Firehose record, which may hold several, with or without white space between
 * them (AWS, "Convert input data format": `{"a":1}{"a":2}` is right, a list of them is not).
 *
 * @throws Error where anything else stands between them, or the last one is cut short.
 */
export function jsonDocuments(text: string): string[] {
  const documents: string[] = [];
  let start = -1;
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (inString) {
      if (character === '\\') at += 1;
      else if (character === '"') inString = false;
    } else if (character === '{') {
      if (depth === 0) start = at;
      depth += 1;
    } else if (depth === 0) {
      if (!/\s/.test(character ?? '')) throw new Error(`no JSON object begins at ${at}`);
    } else if (character === '"') {
      inString = true;
    } else if (character === '}') {
      depth -= 1;
      if (depth === 0) documents.push(text.slice(start, at + 1));
    }
  }
  if (depth > 0) throw new Error('the last JSON object is cut short');
  if (documents.length === 0) throw new Error('record was empty');
  return documents;
}
