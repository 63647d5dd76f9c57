import { OTHER_REGIONS } from './front-limits.ts';
import type { Limit } from './limit.ts';
import { demandOf, STREAM_SIZES, type StreamSizes } from './load.ts';
import { bears, given, LIMITS } from './scale.ts';

/** Loads that the tables show, in multiples of today's. */
export const FACTORS = [1, 10, 100, 1_000] as const;

const BATCHES = STREAM_SIZES.map(({ eventsPerRequest }) => batchName(eventsPerRequest));

/** The loads themselves, in Markdown. */
export function loadTable(): string[] {
  return table(
    [
      'load',
      'events/s',
      'JSON a day',
      'sources',
      'endpoints',
      'calls/s',
      ...BATCHES.map((name) => `requests/s, ${name}`),
    ],
    FACTORS.map((factor) => {
      const demands = STREAM_SIZES.map((sizes) => demandOf(factor, sizes));
      const { load } = demands[0] as (typeof demands)[number];
      return [
        times(factor),
        figure(load.eventsPerSecond),
        `${figure((load.eventsPerSecond * 86_400 * 1_024) / 1e9)} GB`,
        figure(load.sources),
        figure(load.endpoints),
        figure(load.callsPerSecond),
        ...demands.map(({ ingestRequests }) => figure(ingestRequests)),
      ];
    }),
  );
}

/** What has given at each load, first things first, in a Region of large streams. */
export function firstTable(): string[] {
  return table(
    ['load', ...BATCHES],
    FACTORS.map((factor) => [
      times(factor),
      ...STREAM_SIZES.map((sizes) => {
        const all = given(factor, sizes).filter(({ name }) => !name.includes(OTHER_REGIONS));
        const first = all.slice(0, 3).map(({ name }) => name);
        const more = all.length > 3 ? [`and ${all.length - 3} more`] : [];
        return all.length === 0 ? 'nothing' : [...first, ...more].join('; ');
      }),
    ]),
  );
}

/** How many times today's load each limit bears. */
export function limitTable(): string[] {
  return table(
    ['limit', 'there is', 'number from', ...BATCHES],
    LIMITS.map((limit) => [
      limit.name,
      `${figure(limit.most)} ${limit.unit}`,
      limit.source,
      ...STREAM_SIZES.map((sizes) => borne(limit, sizes)),
    ]),
  );
}

/** What happens beyond each limit. */
export function beyondTable(): string[] {
  return table(
    ['limit', 'what happens then', 'what moves it'],
    LIMITS.map(({ name, beyond, moves }) => [name, beyond, moves]),
  );
}

function borne(limit: Limit, sizes: StreamSizes): string {
  const factor = bears(limit, sizes);
  return factor > 10_000 ? 'over 10,000' : figure(factor);
}

function batchName(events: number): string {
  return events === 1 ? 'single events' : `batches of ${events}`;
}

function times(factor: number): string {
  return factor === 1 ? "today's" : `${figure(factor)} times`;
}

/** Two digits are more than the model is worth. */
function figure(value: number): string {
  return Number(value.toPrecision(2)).toLocaleString('en-US', { maximumFractionDigits: 2 });
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(heads), `|${'---|'.repeat(heads.length)}`, ...rows.map(line)];
}
