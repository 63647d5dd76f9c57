import type { OwnEventsDeps } from '../lake/rows/own-events.ts';
import { AlertRunner } from './alert-runner.ts';
import { Checker } from './check/checker.ts';
import { AlertHistory } from './history/alert-history.ts';
import { Outbox } from './outbox.ts';
import type { AlertPartsDeps, alertParts } from './parts.ts';

/**
 * What checks alerts. Apart from {@link alertParts}, because the function that manages alerts checks none.
 *
 * @param own where the history is written.
 */
export function alertRunner(
  { alerts, records, notifier }: ReturnType<typeof alertParts>,
  {
    registry,
    runner,
    clock,
    logger,
  }: Pick<AlertPartsDeps, 'registry' | 'runner' | 'clock' | 'logger'>,
  own: Pick<OwnEventsDeps, 'sink' | 'inference'>,
): AlertRunner {
  const history = new AlertHistory({ ...own, registry, clock, logger });
  const checker = new Checker({ runner, registry, clock, logger });
  const outbox = new Outbox({ notifier, history, clock, logger });
  return new AlertRunner({ alerts, records, checker, outbox, history, clock, logger });
}
