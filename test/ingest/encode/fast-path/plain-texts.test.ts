import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decode, Harness } from '../../support.ts';
import { expectWellFormedRows } from '../well-formed-rows.ts';

const text = fc
  .string({ unit: 'binary', maxLength: 60 })
  .filter((value) => !JSON.stringify(value).includes('\\'));

const event = fc.record(
  {
    id: text,
    message: text,
    project: text,
    level: text,
    'user-agent': text,
    metadata: fc.record({ path: text, tags: fc.array(text), request: fc.record({ url: text }) }),
  },
  { requiredKeys: ['id'] },
);

describe('texts without anything that JSON escapes', () => {
  test.each(['', '/json'])('are known of a body without a backslash, on "%s"', async (path) => {
    const { hasPlainTexts } = await decode('[{"a":"é \u2028 \u007f 👩"},{"b":[1]}]', { path });

    expect(hasPlainTexts).toBe(true);
  });

  test.each([
    ['with an escape', '{"a":"\\n"}', {}],
    ['with half a surrogate pair', '{"a":"\\ud800"}', {}],
    ['that is a form', 'a=%22', { contentType: 'application/x-www-form-urlencoded' }],
    ['of lines', '{"a":"x"}', { contentType: 'application/x-ndjson' }],
    ['from which texts are made', '{"action":"x"}', { path: '/github' }],
    ['in which texts are taken apart', '[{"a":1}]', { path: '/vercel' }],
  ])('are not known of a body %s', async (_, body, options) => {
    expect((await decode(body, options)).hasPlainTexts).toBeUndefined();
  });

  test.each(['', '/json'])('are stored as all others are, on "%s"', async (path) => {
    await fc.assert(
      fc.asyncProperty(fc.array(event, { minLength: 1, maxLength: 3 }), async (events) => {
        const { events: decoded, hasPlainTexts } = await decode(JSON.stringify(events), { path });
        const known = new Harness();
        const looked = new Harness();

        // The second time the shape of the events is known.
        for (const harness of [known, looked]) {
          await harness.pipeline.store({ token: 'source' }, decoded, false);
          harness.rows.length = 0;
        }
        await known.pipeline.store({ token: 'source' }, decoded, hasPlainTexts);
        await looked.pipeline.store({ token: 'source' }, decoded, false);

        expect(hasPlainTexts).toBe(true);
        expectWellFormedRows(known.rows);
        const withoutId = (row: string) => ({ ...JSON.parse(row), id: undefined });
        expect(known.rows.map(withoutId)).toEqual(looked.rows.map(withoutId));
      }),
    );
  });

  test('bytes that are not UTF-8 become U+FFFD', async () => {
    const harness = new Harness();
    const body = Buffer.concat([
      Buffer.from('{"message":"a'),
      Buffer.from([0xff, 0xed, 0xa0, 0x80]),
      Buffer.from('b"}'),
    ]);

    for (let times = 0; times < 2; times++) {
      const { events, hasPlainTexts } = await decode(body);
      await harness.pipeline.store({ token: 'source' }, events, hasPlainTexts);
    }

    expectWellFormedRows(harness.rows);
    expect(harness.events.map((stored) => stored.event_message)).toEqual(
      Array(2).fill('a\ufffd\ufffd\ufffd\ufffdb'),
    );
  });
});
