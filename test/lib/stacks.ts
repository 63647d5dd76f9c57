import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, type AppProps } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { type Config, loadConfig } from '../../lib/config.ts';
import { addStacks } from '../../lib/sluice-app.ts';

const { context } = JSON.parse(readFileSync(new URL('../../cdk.json', import.meta.url), 'utf8'));

/**
 * An app as `cdk synth` makes it, without CloudFormation's rules: to load them takes seconds, and
 * `validation.test.ts` checks the templates against them.
 */
export function newApp(props: AppProps = {}): App {
  return new App({
    builtinCloudFormationValidation: false,
    ...props,
    context: { ...context, ...props.context },
  });
}

/** Leaves out bundling, which takes seconds and changes nothing but the functions' code. */
export const WITHOUT_BUNDLING = { 'aws:cdk:bundling-stacks': [] };

export interface Templates {
  readonly storage: Template;
  readonly service: Template;
  readonly observability: Template;
}

/** The templates of an environment. */
export function synthesise(config: Config = loadConfig('prod')): Templates {
  const outdir = mkdtempSync(join(tmpdir(), 'sluice-synth-'));
  try {
    const stacks = addStacks(newApp({ outdir, context: WITHOUT_BUNDLING }), config);
    return {
      storage: Template.fromStack(stacks.storage),
      service: Template.fromStack(stacks.service),
      observability: Template.fromStack(stacks.observability),
    };
  } finally {
    rmSync(outdir, { recursive: true });
  }
}

/** A resource as the template has it. */
export type Resource = ReturnType<Template['findResources']>[string];

/** Resources of a type by logical id without its hash, which only says where the construct is. */
export function resources(template: Template, type: string): Record<string, Resource> {
  return Object.fromEntries(
    Object.entries(template.findResources(type)).map(([id, resource]) => [
      id.replace(HASH, ''),
      resource,
    ]),
  );
}

/** The one resource of a type. */
export function only(template: Template, type: string): Resource {
  const [resource, ...more] = Object.values(resources(template, type));
  if (resource === undefined || more.length > 0) {
    throw new Error(`Expected one ${type}, found ${more.length + (resource ? 1 : 0)}.`);
  }
  return resource;
}

const HASH = /[0-9A-F]{8}$/;

/** A template value as text: references by logical id without hash, joins joined. */
export function text(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const [[kind, operand] = ['', undefined]] = Object.entries(value);
  switch (kind) {
    case 'Ref':
      return String(operand).replace(HASH, '');
    case 'Fn::GetAtt':
      return String(operand[0]).replace(HASH, '');
    case 'Fn::ImportValue': {
      const [, id] = /:ExportsOutput(?:FnGetAtt|Ref)(\w+?)[0-9A-F]{8}/.exec(operand) ?? [];
      return String(id);
    }
    case 'Fn::Join':
      return operand[1].map(text).join(operand[0]);
    default:
      throw new Error(`${JSON.stringify(value)} is not a text.`);
  }
}
