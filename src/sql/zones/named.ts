import { nearest } from '../../platform/nearest.ts';
import { zoneHistory } from './changes.ts';
import { fixedZone, UTC, type Zone, zoneFrom } from './zone.ts';

/** `+05:30`, `+0530`, `-8`, `UTC+1`: what BigQuery reads as an offset. */
const OFFSET = /^(?:UTC)?([+-])(\d{1,2})(?::?(\d{1,2}))?$/i;
const MAX_OFFSET_MINUTES = 14 * 60;

/**
 * ICU has abbreviations of its own, some of which mean another zone elsewhere (`IST`, `CST`). These
 * are the short names that the IANA database has as well.
 */
const SHORT_NAMES = /^(?:utc|gmt|uct|est|mst|hst|cet|met|eet|wet|prc|roc|rok)$/;

const known = new Map<string, Zone>([['utc', UTC]]);

/**
 * The zone of an IANA name, in any case, or of an offset.
 *
 * @returns undefined for a text that is neither.
 */
export function zoneNamed(text: string): Zone | undefined {
  const key = text.toLowerCase();
  const found = known.get(key) ?? offsetZone(text) ?? namedZone(key);
  if (found !== undefined) {
    // A zone's history takes 40 ms to find out.
    known.set(key, found);
  }
  return found;
}

function offsetZone(text: string): Zone | undefined {
  const [match, sign, hours, minutes] = OFFSET.exec(text) ?? [];
  const total = Number(hours ?? 0) * 60 + Number(minutes ?? 0);
  if (match === undefined || Number(minutes ?? 0) > 59 || total > MAX_OFFSET_MINUTES) {
    return undefined;
  }
  const offset = BigInt(total) * 60_000_000n;
  return fixedZone(text, sign === '-' ? -offset : offset);
}

function namedZone(key: string): Zone | undefined {
  // Offsets that Node knows and BigQuery does not.
  if (/^[+-]/.test(key) || key.startsWith('systemv/')) return undefined;
  if (/^[a-z]{3}$/.test(key) && !SHORT_NAMES.test(key)) return undefined;
  const history = zoneHistory(key);
  return history === undefined ? undefined : zoneFrom(key, history);
}

/** Newer than the names by which ICU lists their zones. */
const RENAMED = [
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Asia/Ho_Chi_Minh',
  'Asia/Yangon',
  'Europe/Kyiv',
];

/** A sentence about a text that is no zone, with the nearest name: also that of a city alone. */
export function unknownZone(text: string): string {
  const listed = Intl.supportedValuesOf('timeZone');
  // Not Etc/GMT+5: its sign means the opposite of what those who write GMT+5 expect.
  const names = ['UTC', ...RENAMED, ...listed.filter((name) => !name.startsWith('Etc/'))];
  const city = `/${text.trim().replaceAll(' ', '_').toLowerCase()}`;
  const near = names.find((name) => name.toLowerCase().endsWith(city)) ?? nearest(text, names);
  const hint =
    near === undefined
      ? ": use an IANA name such as 'Europe/Berlin', or an offset such as '+05:30'"
      : `, did you mean '${near}'?`;
  return `Unknown time zone '${text.slice(0, 60)}'${hint}`;
}
