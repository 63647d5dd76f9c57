import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Secrets } from '../../src/verify/client/secrets.ts';
import { readOptions } from '../../src/verify/options.ts';

test('a text has no key in it, in whichever form it travels', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.string({ minLength: 8 }).filter((key) => !'<key>'.includes(key)),
        { minLength: 1 },
      ),
      fc.string(),
      (keys, around) => {
        const secrets = new Secrets();
        for (const key of keys) secrets.add(key);
        const forms = keys.flatMap((key) => [
          key,
          encodeURIComponent(key),
          Buffer.from(`x:${key}`).toString('base64'),
        ]);

        const hidden = secrets.hide(forms.map((form) => around + form).join(' '));

        expect(forms.filter((form) => hidden.includes(form) && !around.includes(form))).toEqual([]);
      },
    ),
  );
});

const KEY = 'a-key-that-nobody-may-see';

test.each([
  { what: 'a key in the wrong place', args: [KEY] },
  { what: 'a key as an option', args: [`--${KEY}`] },
  { what: 'a key in the address', args: ['--url', `https://x:${KEY}@example.com`] },
  { what: 'a key in the query string', args: ['--url', `https://example.com/?api_key=${KEY}`] },
  { what: 'a key as a check', args: ['--url', 'https://example.com', '--only', KEY] },
  { what: 'a key as the address', args: ['--url', KEY] },
  { what: 'a key with a line end', args: ['--url', 'https://example.com', '--key', `${KEY}\n`] },
  { what: 'a key as a time', args: ['--url', 'https://example.com', '--timeout', KEY] },
])('$what is refused with a sentence that does not repeat it', ({ args }) => {
  const read = () => readOptions(args, { SLUICE_ADMIN_KEY: 'another-key' }, ['http']);

  expect(read).toThrow(expect.objectContaining({ name: 'OptionsError' }));
  expect(read).not.toThrow(KEY);
});
