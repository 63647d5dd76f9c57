import type { ViewStatements } from '../../../src/lake/views/view-store.ts';

/** A catalog that understands what the sync sends, and refuses what Athena would refuse. */
export class ModelCatalog implements ViewStatements {
  readonly views = new Map<string, string>();
  readonly statements: string[] = [];
  /** Called after every statement. */
  onChange: () => void = () => {};

  async run(text: string): Promise<void> {
    this.statements.push(text);
    const create = /^CREATE OR REPLACE VIEW "([a-z][a-z0-9_]*)" AS\n([\s\S]+)$/.exec(text);
    const drop = /^DROP VIEW IF EXISTS "([a-z][a-z0-9_]*)"$/.exec(text);
    if (create?.[1] !== undefined && create[2] !== undefined) {
      if (create[2].includes('FROM "events"') && !this.views.has('events')) {
        throw new Error('the view "events" does not exist');
      }
      this.views.set(create[1], create[2]);
    } else if (drop?.[1] !== undefined) {
      this.views.delete(drop[1]);
    } else {
      throw new Error(`not a statement about a view: ${text}`);
    }
    this.onChange();
  }

  /** Names of the views of a source. */
  of(token: string): string[] {
    return [...this.views]
      .filter(([, query]) => query.includes(`source_id = '${token}'`))
      .map(([name]) => name);
  }
}
