import { readdirSync, readFileSync } from 'node:fs';
import { CfnNamedQuery, type CfnWorkGroup } from 'aws-cdk-lib/aws-athena';
import { Construct } from 'constructs';

const FOLDER = new URL('saved-queries/', import.meta.url);

/** A query to start from, as a file of `lib/saved-queries` holds it. */
export interface SavedQuery {
  /** Name of the file without its ending. */
  readonly id: string;
  /** First line of the file. */
  readonly name: string;
  /** The comment after it. */
  readonly description: string;
  /** The file, comments and all: people read them in the editor. */
  readonly text: string;
}

/**
 * The queries of `lib/saved-queries`, by file name.
 *
 * @throws Error when a file does not begin with its name and a description as comments
 */
export function savedQueries(): SavedQuery[] {
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

export interface SavedQueriesProps {
  readonly workgroup: CfnWorkGroup;
  readonly databaseName: string;
}

/** The saved queries that an analyst finds in Athena. */
export class SavedQueries extends Construct {
  constructor(scope: Construct, id: string, props: SavedQueriesProps) {
    super(scope, id);
    for (const query of savedQueries()) {
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
