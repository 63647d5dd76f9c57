import type { Config } from '../../lib/config.ts';
import type { ChosenRegion } from '../shared/region.ts';
import type { Clients } from './clients.ts';
import type { PlannedDeployment } from './planned-deployment.ts';
import type { Verdict } from './verdict.ts';

/** What a run is about, and what it asks with. */
export interface Terminal {
  readonly config: Config;
  readonly planned: PlannedDeployment;
  /** Region that is asked, and where it was found. */
  readonly region: string;
  readonly regionFrom: string | undefined;
  /** Region that commands in this terminal ask, `aws` for one. */
  readonly terminal: ChosenRegion;
  readonly clients: Clients;
  /** Create what is missing, where a check can. */
  readonly fix: boolean;
  /** UTC day, `yyyy-MM-dd`. */
  readonly today: string;
}

/** The same once AWS has said whose credentials these are. */
export interface Target extends Terminal {
  /** Twelve digits. */
  readonly account: string;
}

/** One question to an account and Region before anything is created in it. */
export interface Check {
  /** What is asked, in a few words. */
  readonly name: string;
  /** IAM's actions that it needs. */
  readonly permissions: readonly string[];
  /**
   * Asks, and changes nothing unless told to `fix`.
   *
   * @throws errors of the SDK that the check has no verdict about; the caller has one
   */
  run(target: Target): Promise<Verdict>;
}
