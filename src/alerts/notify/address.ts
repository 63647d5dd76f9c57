import { BlockList, isIP } from 'node:net';

/**
 * IPv4 addresses that are not out on the internet: IANA's registry of special-purpose addresses, multicast,
 * and what is reserved.
 */
const SPECIAL_V4: readonly (readonly [address: string, bits: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  // Carriers' own (RFC 6598).
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Link-local: the metadata services of clouds are at 169.254.169.254, and Lambda's own API at 169.254.100.1.
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/** Global unicast; everything else is special, addresses that stand for IPv4 ones included. */
const GLOBAL_V6 = new BlockList();
GLOBAL_V6.addSubnet('2000::', 3, 'ipv6');

/** Parts of it that are special: IETF protocols with Teredo, documentation, and 6to4, which holds IPv4. */
const SPECIAL_V6: readonly (readonly [address: string, bits: number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const SPECIAL = new BlockList();
for (const [address, bits] of SPECIAL_V4) SPECIAL.addSubnet(address, bits, 'ipv4');
for (const [address, bits] of SPECIAL_V6) SPECIAL.addSubnet(address, bits, 'ipv6');

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/** Whether an address is out on the internet. What is no address is not. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !SPECIAL.check(address, 'ipv4');
    case 6:
      // A zone makes an address one of this machine's links.
      return (
        !address.includes('%') &&
        GLOBAL_V6.check(address, 'ipv6') &&
        !SPECIAL.check(address, 'ipv6')
      );
    default:
      return false;
  }
}

/** Whether an address is this machine itself. */
export function isLoopback(address: string): boolean {
  const family = isIP(address);
  return family !== 0 && LOOPBACK.check(address, family === 4 ? 'ipv4' : 'ipv6');
}
