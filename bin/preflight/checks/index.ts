import type { Check } from '../check.ts';
import { athenaQuota } from './athena-quota.ts';
import { bootstrap } from './bootstrap.ts';
import { certificate } from './certificate.ts';
import { defaultDatabase } from './default-database.ts';
import { firehoseQuota } from './firehose-quota.ts';
import { firstDay } from './first-day.ts';
import { hostedZone } from './hosted-zone.ts';
import { lakeFormation } from './lake-formation.ts';
import { lambdaConcurrency } from './lambda-concurrency.ts';
import { names } from './names.ts';
import { region } from './region.ts';
import { services } from './services.ts';
import { stacks } from './stacks.ts';

/** All checks that need credentials that work, in the order of the printed table. */
export const CHECKS: readonly Check[] = [
  region,
  services,
  bootstrap,
  stacks,
  names,
  firstDay,
  defaultDatabase,
  lakeFormation,
  lambdaConcurrency,
  athenaQuota,
  firehoseQuota,
  hostedZone,
  certificate,
];
