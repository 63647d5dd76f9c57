import { readFile } from 'node:fs/promises';

/**
 * A configuration of `docs/clients`, for this machine.
 *
 * @param language of the fenced block; the document has one of it.
 * @param replacements what stands for the reader's own addresses, keys and paths.
 * @throws Error when the document has no such block or does not name what is to be replaced.
 */
export async function documented(
  document: string,
  language: string,
  replacements: Readonly<Record<string, string>>,
): Promise<string> {
  const text = await readFile(
    new URL(`../../../docs/clients/${document}`, import.meta.url),
    'utf8',
  );
  const block = new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'ms').exec(text)?.[1];
  if (block === undefined) throw new Error(`${document} has no block of ${language}.`);
  return Object.entries(replacements).reduce((configuration, [from, to]) => {
    if (!configuration.includes(from)) throw new Error(`${document} does not name ${from}.`);
    return configuration.replaceAll(from, to);
  }, block);
}
