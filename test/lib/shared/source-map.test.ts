import { beforeAll, expect, test } from 'vitest';
import { type Bundle, bundle } from '../../../lib/shared/bundle.ts';
import { traced } from '../../../lib/shared/source-map.ts';

let redrive: Bundle;
beforeAll(() => {
  redrive = bundle('redrive');
}, 60_000);

/** Where the deployed code has a text, as a stack trace would say. */
function placeOf(text: string): string {
  for (const { path, code } of redrive.modules) {
    const before = Buffer.from(code).toString().split(text);
    if (before.length > 1) {
      const lines = before[0]?.split('\n') ?? [];
      return `${path}:${lines.length}:${(lines.at(-1)?.length ?? 0) + 1}`;
    }
  }
  throw new Error(`No module has ${text}.`);
}

test('a stack trace of deployed code becomes one of this project', () => {
  const place = placeOf('The environment of the ');
  const stack = `Error: no\n    at xt (file:///var/task/${place})\n    at /var/task/${place}`;

  const [head, ...frames] = traced(stack, redrive).split('\n');

  expect(head).toBe('Error: no');
  expect(frames).toEqual([
    expect.stringMatching(/^ {4}at xt \(lambdas\/shared\/environment\.ts:\d+:\d+\)$/),
    expect.stringMatching(/^ {4}at lambdas\/shared\/environment\.ts:\d+:\d+$/),
  ]);
});

test('traces within lines of JSON are found too', () => {
  const place = placeOf('The environment of the ');
  const line = JSON.stringify({ error: { stack: `Error: no\n    at xt (/var/task/${place})` } });
  expect(traced(line, redrive)).toContain('(lambdas/shared/environment.ts:');
});

test.each([
  'at file:///var/runtime/index.mjs:1173:29',
  'at file:///var/task/chunk-OTHER.mjs:1:2',
  'at node:internal/process/task_queues:104:5',
])('a place that the bundle does not have stays: %s', (frame) => {
  expect(traced(frame, redrive)).toBe(frame);
});
