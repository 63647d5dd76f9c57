import { inject } from 'vitest';
import { compactionStoreContract } from '../ports/compaction-store.contract.ts';
import { TrinoCompaction } from './support/trino-compaction.ts';
import { TrinoClient } from './trino/client.ts';

compactionStoreContract('AthenaCompactionStore, its statements on Trino,', () =>
  TrinoCompaction.open(new TrinoClient(inject('trino')), {
    firstDay: '2026-02-01',
    lastDay: '2026-02-03',
  }),
);
