import { describe, expect, test } from 'vitest';
import { rawNumber } from '../../../src/platform/json/json.ts';
import { redact } from '../../../src/query/decoding/redact.ts';

describe('redact', () => {
  test.each([
    ['192.168.1.1', 'REDACTED'],
    ['User connected from 192.168.1.1 and 10.0.0.1', 'User connected from REDACTED and REDACTED'],
    ['x=1.2.3.4,y', 'x=REDACTED,y'],
    ['1.2.3.4:8080', 'REDACTED:8080'],
    ['1.2.3.4/24', 'REDACTED/24'],
    ['[1.2.3.4]', '[REDACTED]'],
    ['{"ip":"1.2.3.4"}', '{"ip":"REDACTED"}'],
    ['10.0.0.1-10.0.0.9', 'REDACTED-REDACTED'],
    ['1.1.1.1.1', 'REDACTED.1'],
    ['1.2.3.4.5.6', 'REDACTED.5.6'],
    ['01.02.03.04', 'REDACTED'],
    ['001.002.003.004', 'REDACTED'],
    ['IP: 192.168.1.1, not 12192.168.1.11', 'IP: REDACTED, not 12192.168.1.11'],
  ])('replaces IPv4 addresses in %j', (text, expected) => {
    expect(redact(text)).toBe(expected);
  });

  test.each([
    '256.1.1.1',
    '1.256.1.1',
    '192.168.1.256',
    '192.168.1.1111',
    '12192.168.1.11',
    'v1.2.3.4',
    'a1.2.3.4',
    '1.2.3.4v',
    '_1.2.3.4',
  ])('leaves %j, which is no IPv4 address', (text) => {
    expect(redact(text)).toBe(text);
  });

  test.each([
    ['::1', 'REDACTED'],
    ['::', 'REDACTED'],
    ['1::', 'REDACTED'],
    ['fe80::1', 'REDACTED'],
    ['fe80::1%eth0', 'REDACTED'],
    ['2001:DB8::1', 'REDACTED'],
    ['1:2:3:4:5:6:7:8', 'REDACTED'],
    ['addr ::1 x', 'addr REDACTED x'],
    ['connected ::1', 'connected REDACTED'],
    ['::1 ::2', 'REDACTED REDACTED'],
    ['2001:db8::1\n::1', 'REDACTED\nREDACTED'],
    ['a::b', 'REDACTED'],
    ['dead::beef', 'REDACTED'],
    ['abc::def foo', 'REDACTED foo'],
  ])('replaces IPv6 addresses between white space in %j', (text, expected) => {
    expect(redact(text)).toBe(expected);
  });

  test.each([
    'addr ::1,',
    '(::1)',
    '[::1]:80',
    'ip=2001:db8::1',
    '"2001:db8::1"',
    '2001:db8::1/64',
    'std::vector',
    '12:30:45',
    '00:1A:2B:3C:4D:5E',
    '1:2:3:4:5:6:7:8:9',
  ])('leaves %j, where punctuation or form hides an IPv6 address', (text) => {
    expect(redact(text)).toBe(text);
  });

  test('replaces an embedded IPv4 address before it looks for IPv6', () => {
    expect(redact('::ffff:1.2.3.4')).toBe('::ffff:REDACTED');
  });

  test('goes into objects and lists, and leaves keys, numbers, booleans and null alone', () => {
    const value = { '1.2.3.4': '1.2.3.4', n: 1, b: true, z: null, l: ['::1', { k: '8.8.8.8' }] };
    expect(redact(value)).toEqual({
      '1.2.3.4': 'REDACTED',
      n: 1,
      b: true,
      z: null,
      l: ['REDACTED', { k: 'REDACTED' }],
    });
  });

  test('leaves raw numbers as they are', () => {
    const big = rawNumber('12345678901234567890');
    expect(redact([big])).toEqual([big]);
    expect(JSON.stringify(redact({ big }))).toBe('{"big":12345678901234567890}');
  });
});
