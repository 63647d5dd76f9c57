import { readdirSync, readFileSync } from 'node:fs';
import { CfnNamedQuery, type CfnWorkGroup } from 'aws-cdk-lib/aws-athena';
import { Construct } from 'constructs';

const FOLDER = new URL('named-queries/', import.meta.url);

/** A query to start from. */
export interface NamedQuery {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly text: string;
}

/**
 * The queries of `lib/query/named-queries`: the name is the first line of the file, the description the
 * comment after it. The comments stay in the text, as people read them in the editor.
 *
 * @throws Error when a file does not begin with its name and a description as comments
 */
export function namedQueries(): NamedQuery[] {
  return readdirSync(FOLDER)
    .sort()
    .map((file) => {
      const text = readFileSync(new URL(file, FOLDER), 'utf8').trim();
      const [name, ...description] = /^(?:--.*\n)+/.exec(text)?.[0].trim().split('\n') ?? [];
      if (name === undefined || description.length === 0) {
        throw new Error(`${file} has to begin with two comments: a name and a description.`);
      }
      return {
        id: file.replace(/\.sql$/, ''),
        name: uncommented(name),
        description: description.map(uncommented).join(' '),
        text,
      };
    });
}

export interface AthenaNamedQueriesProps {
  readonly workgroup: CfnWorkGroup;
  readonly databaseName: string;
  readonly queries: readonly NamedQuery[];
}

/** The saved queries that an analyst finds in Athena. */
export class AthenaNamedQueries extends Construct {
  constructor(scope: Construct, id: string, props: AthenaNamedQueriesProps) {
    super(scope, id);
    for (const query of props.queries) {
      const saved = new CfnNamedQuery(this, query.id, {
        name: query.name,
        description: query.description,
        database: props.databaseName,
        workGroup: props.workgroup.name,
        queryString: query.text,
      });
      // The workgroup is named by text, so CloudFormation does not see that it comes first.
      saved.addResourceDependency(props.workgroup);
    }
  }
}

function uncommented(line: string): string {
  return line.replace(/^--\s*/, '').trim();
}
