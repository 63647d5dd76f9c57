import { systemSleep } from '../../platform/concurrency/sleep.ts';
import { field } from '../client/answer.ts';
import type { HttpClient } from '../client/http-client.ts';
import { reasonOf } from '../client/reason.ts';

/** Saved queries before the sources that they read; rules go with their source. */
const RESOURCES = [
  { path: '/api/endpoints', named: 'name' },
  { path: '/api/access-tokens', named: 'description' },
  { path: '/api/sources', named: 'name' },
] as const;

const TRIES = 3;
const PAUSE_MS = 1_000;

/**
 * Deletes everything whose name begins with the prefix of a run: also what the run does not know to have
 * made, because the answer was lost. Never throws.
 *
 * @returns what is left, each as the call that deletes it and why it failed.
 */
export async function cleanUp(admin: HttpClient, prefix: string): Promise<string[]> {
  const left: string[] = [];
  for (const { path, named } of RESOURCES) {
    const list = await attempt(() => admin.get(path), 200);
    if (typeof list === 'string') {
      left.push(`GET ${path}: ${list}; delete there what begins with ${prefix}.`);
      continue;
    }
    const all = Array.isArray(list.body) ? list.body : [];
    const own = all.filter((each) => String(field(each, named)).startsWith(`${prefix}.`));
    for (const each of own) {
      const call = `${path}/${field(each, 'id')}`;
      const answer = await attempt(() => admin.call(call, { method: 'DELETE' }), 204, 404);
      if (typeof answer === 'string') left.push(`DELETE ${call}: ${answer}`);
    }
  }
  return left;
}

type Answer = Awaited<ReturnType<HttpClient['get']>>;

/** @returns the answer with one of these statuses, or what came instead. */
async function attempt(
  call: () => Promise<Answer>,
  ...statuses: number[]
): Promise<Answer | string> {
  let came = '';
  for (let tries = 0; tries < TRIES; tries++) {
    if (tries > 0) await systemSleep(PAUSE_MS);
    try {
      const answer = await call();
      if (statuses.includes(answer.status)) return answer;
      came = String(answer);
    } catch (error) {
      came = reasonOf(error);
    }
  }
  return came;
}
