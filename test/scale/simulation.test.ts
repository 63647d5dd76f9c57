import { describe, expect, test } from 'vitest';
import { SCENARIOS } from '../../bench/scale/scenarios.ts';
import { type Outcome, simulate } from '../../bench/scale/simulation.ts';

/** The scenarios of `npm run scale -- --simulate`, each phase a twentieth as long. */
const played = new Map<string, Promise<Outcome>>();
const outcome = (start: string): Promise<Outcome> => {
  const known = played.get(start);
  if (known !== undefined) return known;
  const found = SCENARIOS.find(({ name }) => name.startsWith(start));
  if (found === undefined) throw new Error(`There is no scenario ${start}.`);
  const phases = found.phases.map((phase) => ({ ...phase, seconds: phase.seconds / 20 }));
  const playing = simulate({ ...found, phases });
  played.set(start, playing);
  return playing;
};

describe('what was answered with 200 is stored, once', () => {
  test.each([
    ['after ten times the load', 'ten times'],
    ['after ten times the load, over three streams', 'the same, three'],
    ['after the stream refused', 'the stream refuses'],
    ['after the stream answered slowly', 'each call'],
    ['on a slow day', 'a slow day'],
  ])('%s', async (_, name) => {
    const { acknowledged, lost, twice, left } = await outcome(name);

    expect(acknowledged).toBeGreaterThan(50);
    expect({ lost, twice, left }).toEqual({ lost: 0, twice: 0, left: 0 });
  });
});

test('a burst is parked, and goes on the stream when there is room', async () => {
  const { parked, wait } = await outcome('ten times');

  expect(parked).toBeGreaterThan(0);
  expect(wait.worst).toBeGreaterThan(10);
});

test('while one of three streams refuses, nothing is parked and nobody waits', async () => {
  const { acknowledged, lost, parked, wait } = await outcome('one of three');

  expect({ lost, parked }).toEqual({ lost: 0, parked: 0 });
  expect(acknowledged).toBeGreaterThan(1_000);
  expect(wait.worst).toBeLessThan(1);
});
