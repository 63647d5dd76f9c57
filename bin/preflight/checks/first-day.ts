import type { Check } from '../check.ts';
import { describeStack } from '../stacks.ts';
import { failed, ok, warning } from '../verdict.ts';

const DAY_MS = 86_400_000;

/** Days before today that cost nothing worth a sentence. */
const RECENT_DAYS = 7;

/** Whether the lake begins on the day of its first deployment. */
export const firstDay: Check = {
  name: 'firstDay',
  permissions: ['cloudformation:DescribeStacks'],
  async run({ clients, config, planned, today }) {
    const set = `firstDay: '${today}'`;
    const file = `config/${config.environment}.ts`;
    const days = (Date.parse(today) - Date.parse(config.firstDay)) / DAY_MS;
    if (days < 0) {
      return failed(
        `${config.firstDay} is in the future (it is ${today} in UTC): no query would find the events until then.`,
        `Set ${set} in ${file}.`,
      );
    }
    const [storage = ''] = planned.stacks;
    const made = (await describeStack(clients.cloudFormation, storage))?.CreationTime;
    if (made !== undefined) {
      const day = made.toISOString().slice(0, 10);
      if (day >= config.firstDay) return ok(`${config.firstDay}; the lake was made on ${day}.`);
      return failed(
        `It is ${config.firstDay}, but the lake was made on ${day}: no query would find what came before.`,
        `Set firstDay: '${day}' in ${file}.`,
      );
    }
    if (days > RECENT_DAYS) {
      return warning(
        `${config.firstDay} is ${days} days ago: queries without a start time would list ${24 * days} hours that hold nothing.`,
        `Set ${set} in ${file}.`,
      );
    }
    return ok(`${config.firstDay}, today or shortly before.`);
  },
};
