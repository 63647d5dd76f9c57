/** What a deployment would create, read from the constructs themselves, so that no list of names can be wrong. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, type CfnResource, Stack } from 'aws-cdk-lib';
import { CfnWorkGroup } from 'aws-cdk-lib/aws-athena';
import { CfnDatabase } from 'aws-cdk-lib/aws-glue';
import { CfnDeliveryStream } from 'aws-cdk-lib/aws-kinesisfirehose';
import { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import { CfnLogGroup } from 'aws-cdk-lib/aws-logs';
import { CfnSecret } from 'aws-cdk-lib/aws-secretsmanager';
import cdk from '../../cdk.json' with { type: 'json' };
import type { Config } from '../../lib/config.ts';
import { addStacks } from '../../lib/sluice-app.ts';

/** Types whose names are fixed and, when taken, make a creation fail. */
export type NamedType = 'database' | 'function' | 'log group' | 'secret' | 'stream' | 'workgroup';

export interface PlannedName {
  readonly type: NamedType;
  readonly name: string;
}

/** Concurrency that a function sets aside. */
export interface PlannedConcurrency {
  readonly functionName: string;
  readonly reserved: number;
}

export interface PlannedDeployment {
  /** In the order in which they are made. */
  readonly stacks: readonly string[];
  readonly names: readonly PlannedName[];
  readonly concurrency: readonly PlannedConcurrency[];
}

/** Reads the constructs of an environment; bundles nothing and writes nothing that stays. */
export function plannedDeployment(config: Config): PlannedDeployment {
  const outdir = mkdtempSync(join(tmpdir(), 'sluice-preflight-'));
  try {
    const app = new App({
      outdir,
      builtinCloudFormationValidation: false,
      context: { ...cdk.context, 'aws:cdk:bundling-stacks': [] },
    });
    const stacks = Object.values<Stack>({ ...addStacks(app, config) });
    const resources = stacks.flatMap((stack) => stack.node.findAll());
    return {
      stacks: stacks.map(({ stackName }) => stackName),
      names: resources.flatMap(nameOf),
      concurrency: resources.flatMap(concurrencyOf),
    };
  } finally {
    rmSync(outdir, { recursive: true });
  }
}

function nameOf(resource: unknown): PlannedName[] {
  if (resource instanceof CfnDatabase) {
    const input = resolved(resource, resource.databaseInput) as { name?: unknown };
    return named('database', input.name);
  }
  if (resource instanceof CfnFunction)
    return named('function', resolved(resource, resource.functionName));
  if (resource instanceof CfnLogGroup)
    return named('log group', resolved(resource, resource.logGroupName));
  if (resource instanceof CfnSecret) return named('secret', resolved(resource, resource.name));
  if (resource instanceof CfnDeliveryStream)
    return named('stream', resolved(resource, resource.deliveryStreamName));
  if (resource instanceof CfnWorkGroup)
    return named('workgroup', resolved(resource, resource.name));
  return [];
}

/** A name that CloudFormation makes up is not a text here. */
function named(type: NamedType, name: unknown): PlannedName[] {
  return typeof name === 'string' ? [{ type, name }] : [];
}

function concurrencyOf(resource: unknown): PlannedConcurrency[] {
  if (!(resource instanceof CfnFunction)) return [];
  const reserved = resolved(resource, resource.reservedConcurrentExecutions);
  const functionName = resolved(resource, resource.functionName);
  if (typeof reserved !== 'number' || typeof functionName !== 'string') return [];
  return [{ functionName, reserved }];
}

function resolved(resource: CfnResource, value: unknown): unknown {
  return Stack.of(resource).resolve(value);
}
