import { CfnResource, CustomResource, Duration } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { PROMOTED_FIELDS_RESOURCE } from '../lambdas/custom-resource.ts';
import { formatFields } from '../src/lake/promoted-fields.ts';
import type { Config } from './config.ts';

/** The variable of every function that makes, copies or queries rows. */
export function promotedFieldsVariable({ promotedFields }: Pick<Config, 'promotedFields'>): {
  readonly PROMOTED_FIELDS: string;
} {
  return { PROMOTED_FIELDS: formatFields(promotedFields) || 'none' };
}

export interface PromotedFieldsProps {
  readonly config: Pick<Config, 'promotedFields'>;
  readonly bootstrap: IFunction;
}

/**
 * The order in which a change of the promoted fields is deployed, forwards and when it is rolled back.
 * Queries read a column from the time on that the registry has for it, and all rows since must have it:
 *
 * 1. the fields are announced, and entries of those that are promoted only before or only after the change
 *    taken out;
 * 2. functions that make rows begin or cease to fill columns;
 * 3. the job of compaction enters what has no entry, as filled a while later, once it is deployed with the
 *    fields that are announced.
 *
 * `test/registry/promoted-deployments.test.ts` tries deployments that fail and stop anywhere.
 */
export class PromotedFields extends Construct {
  readonly #change: CustomResource;

  constructor(scope: Construct, id: string, props: PromotedFieldsProps) {
    super(scope, id);
    this.#change = new CustomResource(this, 'Change', {
      resourceType: PROMOTED_FIELDS_RESOURCE,
      serviceToken: props.bootstrap.functionArn,
      // The function needs two minutes at most.
      serviceTimeout: Duration.minutes(5),
      properties: { Fields: promotedFieldsVariable(props.config).PROMOTED_FIELDS },
    });
  }

  /** @param makers of rows. @param enterer which runs the job of compaction. */
  order(makers: readonly IFunction[], enterer: IFunction): void {
    for (const maker of makers) {
      resourceOf(maker).addResourceDependency(resourceOf(this.#change));
      resourceOf(enterer).addResourceDependency(resourceOf(maker));
    }
  }
}

function resourceOf({ node }: Construct | IFunction): CfnResource {
  const resource = node.defaultChild;
  if (!(resource instanceof CfnResource)) throw new Error(`${node.path} is no resource`);
  return resource;
}
