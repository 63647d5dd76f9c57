/** What the records of a request share: the resource and the scope that they come from. */
import { type Fields, shared } from '../../../../platform/json/fields.ts';
import { type AttributeList, attributes } from './attributes.ts';

/** What is said of a resource. */
export interface ResourceInfo {
  readonly resource?:
    | { readonly attributes: AttributeList; readonly droppedAttributesCount: number }
    | undefined;
  readonly schemaUrl: string;
}

/** What is said of a scope. */
export interface ScopeInfo {
  readonly scope?:
    | {
        readonly name: string;
        readonly version: string;
        readonly attributes: AttributeList;
        readonly droppedAttributesCount: number;
      }
    | undefined;
  readonly schemaUrl: string;
}

/** Fields of every event of a resource. `project` is its `service.name`. */
export function resourceFields(of: ResourceInfo): Fields {
  const resource = attributes(of.resource?.attributes ?? []);
  const dropped = of.resource?.droppedAttributesCount ?? 0;
  if (dropped > 0) resource.dropped_attributes_count = dropped;
  const project = resource['service.name'];
  return {
    project: typeof project === 'string' ? project : undefined,
    resource: shared(resource),
    resource_schema_url: of.schemaUrl,
  };
}

/** The same with the field `scope`: what every event of a scope has. */
export function scopeFields(ofResource: Fields, of: ScopeInfo): Fields {
  const scope = shared({
    name: of.scope?.name,
    version: of.scope?.version,
    attributes: attributes(of.scope?.attributes ?? []),
    dropped_attributes_count: of.scope?.droppedAttributesCount || undefined,
    schema_url: of.schemaUrl,
  });
  return { ...ofResource, scope };
}
