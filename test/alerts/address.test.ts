import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isLoopback, isPublicAddress } from '../../src/alerts/notify/address.ts';
import { urlFault } from '../../src/alerts/notify/target-url.ts';

describe('an address', () => {
  test.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '169.254.169.254',
    '169.254.100.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '192.0.0.8',
    '198.18.0.1',
    '198.51.100.7',
    '203.0.113.7',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '::ffff:a9fe:a9fe',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:db8::1',
    '2002:a9fe:a9fe::1',
    '3fff::1',
    '5f00::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fe80::1%eth0',
    '2606:4700::1%eth0',
    'ff02::1',
    'localhost',
    '',
  ])('%j is not on the internet', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  test.each([
    '1.1.1.1',
    '8.8.8.8',
    '100.63.255.255',
    '100.128.0.1',
    '172.15.0.1',
    '172.32.0.1',
    '2606:4700:4700::1111',
  ])('%s is on the internet', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  /** Special blocks as numbers, apart from what the code makes of them. */
  const SPECIAL: readonly (readonly [number, number])[] = [
    [0x00000000, 8],
    [0x0a000000, 8],
    [0x64400000, 10],
    [0x7f000000, 8],
    [0xa9fe0000, 16],
    [0xac100000, 12],
    [0xc0000000, 24],
    [0xc0000200, 24],
    [0xc0586300, 24],
    [0xc0a80000, 16],
    [0xc6120000, 15],
    [0xc6336400, 24],
    [0xcb007100, 24],
    [0xe0000000, 4],
    [0xf0000000, 4],
  ];
  const isSpecial = (ip: number) =>
    SPECIAL.some(([base, bits]) => ip >>> (32 - bits) === base >>> (32 - bits));
  /** Anywhere, and near where blocks begin and end. */
  const ipv4 = fc.oneof(
    fc.nat(0xffffffff),
    fc
      .tuple(fc.constantFrom(...SPECIAL), fc.integer({ min: -2, max: 2 }), fc.boolean())
      .map(([[base, bits], off, isEnd]) => (base + (isEnd ? 2 ** (32 - bits) : 0) + off) >>> 0),
  );
  const dotted = (ip: number) => [24, 16, 8, 0].map((shift) => (ip >>> shift) & 255).join('.');

  test('of IPv4 is on the internet if it is in no special block', () => {
    fc.assert(
      fc.property(ipv4, (ip) => {
        expect(isPublicAddress(dotted(ip))).toBe(!isSpecial(ip));
      }),
      { numRuns: 1_000 },
    );
  });

  test('of IPv6 that stands for one of IPv4 is never on the internet', () => {
    const hex = (ip: number) => `${(ip >>> 16).toString(16)}:${(ip & 0xffff).toString(16)}`;
    const forms = [
      (ip: number) => `::ffff:${dotted(ip)}`,
      (ip: number) => `::FFFF:${hex(ip)}`,
      (ip: number) => `0:0:0:0:0:ffff:${hex(ip)}`,
      (ip: number) => `::${hex(ip)}`,
      (ip: number) => `64:ff9b::${hex(ip)}`,
      (ip: number) => `2002:${hex(ip)}::1`,
    ];
    fc.assert(
      fc.property(ipv4, fc.constantFrom(...forms), (ip, form) => {
        expect(isPublicAddress(form(ip))).toBe(false);
      }),
    );
  });

  test('of IPv6 outside of 2000::/3 is never on the internet', () => {
    const groups = fc.array(fc.nat(0xffff), { minLength: 8, maxLength: 8 });
    fc.assert(
      fc.property(groups, (parts) => {
        const address = parts.map((part) => part.toString(16)).join(':');
        if ((parts[0] ?? 0) >>> 13 !== 1) expect(isPublicAddress(address)).toBe(false);
      }),
    );
  });

  test.each([
    ['127.0.0.1', true],
    ['127.255.255.254', true],
    ['::1', true],
    ['10.0.0.1', false],
    ['8.8.8.8', false],
    ['localhost', false],
  ])('%s is this machine: %s', (address, expected) => {
    expect(isLoopback(address)).toBe(expected);
  });
});

describe('the URL of a target', () => {
  const strict = { allowLocal: false };

  test.each([
    ['http://example.com/', 'must be a URL that begins with https://'],
    ['ftp://example.com/', 'must be a URL that begins with https://'],
    ['file:///etc/passwd', 'must be a URL that begins with https://'],
    ['example.com', 'must be a URL that begins with https://'],
    ['', 'must be a URL that begins with https://'],
    ['https://user:secret@example.com/', 'must not hold credentials'],
    ['https://user@example.com/', 'must not hold credentials'],
    ['https://127.0.0.1/', 'must be an address on the internet'],
    ['https://2130706433/', 'must be an address on the internet'],
    ['https://0x7f.1/', 'must be an address on the internet'],
    ['https://0177.0.0.1/', 'must be an address on the internet'],
    ['https://169.254.169.254/latest/meta-data/', 'must be an address on the internet'],
    ['https://[::1]/', 'must be an address on the internet'],
    ['https://[::ffff:169.254.169.254]/', 'must be an address on the internet'],
    ['https://[fd00:ec2::254]/', 'must be an address on the internet'],
    [`https://example.com/${'x'.repeat(2_000)}`, 'is too long'],
  ])('%s %s', (url, fault) => {
    expect(urlFault(url, strict)).toBe(fault);
  });

  test.each(['https://example.com/hook?x=1', 'https://example.com:8443/', 'https://1.1.1.1/'])(
    'may be %s',
    (url) => {
      expect(urlFault(url, strict)).toBeUndefined();
    },
  );

  test('may be plain and local on a laptop that says so, but not private', () => {
    const local = { allowLocal: true };

    expect(urlFault('http://127.0.0.1:9000/', local)).toBeUndefined();
    expect(urlFault('http://localhost:9000/', local)).toBeUndefined();
    expect(urlFault('http://169.254.169.254/', local)).toBe('must be an address on the internet');
    expect(urlFault('http://192.168.0.1/', local)).toBe('must be an address on the internet');
  });

  test('is never taken for one by accident', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.webUrl()), (text) => {
        const fault = urlFault(text, strict);
        expect(fault === undefined).toBe(
          fault === undefined && new URL(text).protocol === 'https:',
        );
      }),
    );
  });
});
