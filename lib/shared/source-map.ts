import { SourceMap } from 'node:module';
import type { Bundle } from './bundle.ts';

/** A place in a deployed module, as stack traces have it; Lambda's own index.mjs is elsewhere. */
const PLACE = /(?:file:\/\/)?\/var\/task\/([\w-]+\.mjs):(\d+):(\d+)/g;

/**
 * Text with stack traces of a deployed function, and in it the places in this project that they mean. What
 * the bundle does not know stays as it is.
 *
 * @param bundle of the same function, made from the files that were deployed.
 */
export function traced(text: string, { maps }: Pick<Bundle, 'maps'>): string {
  return text.replaceAll(PLACE, (place, path: string, line: string, column: string) => {
    const map = maps.get(path);
    if (map === undefined) return place;
    const entry = new SourceMap(JSON.parse(map)).findEntry(Number(line) - 1, Number(column) - 1);
    if (!('originalSource' in entry)) return place;
    const { originalSource, originalLine, originalColumn } = entry;
    return `${originalSource.replace(/^(?:\.\.\/)+/, '')}:${originalLine + 1}:${originalColumn + 1}`;
  });
}
